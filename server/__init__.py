"""The authoritative match server: asyncio, websockets, storage, physics workers."""
