"""What all work stands on: stores, stations, adapters, the desks that share them, their health."""
