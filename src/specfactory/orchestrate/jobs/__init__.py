"""What a job's handler gives back, and how a job ends when it fails or waits."""
