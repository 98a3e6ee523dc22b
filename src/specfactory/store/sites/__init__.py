"""What is known of hosts: templates, treatment, proxies."""
