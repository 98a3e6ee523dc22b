"""Over aiohttp: pages, web search, language model, proxy checks."""
