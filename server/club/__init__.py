"""The running club: competitions kept, their matches called to stations and played at tables."""
