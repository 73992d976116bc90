-- Version 4.

-- What one node does for all: `lobby`. It is the owner's until the owner is dead, or gives it up. `epoch` counts the owners: what
-- an owner writes names its own, so that nothing is written by one that is the owner no more.
CREATE TABLE leases (name text PRIMARY KEY, owner int, epoch bigint NOT NULL DEFAULT 0);
INSERT INTO leases (name) VALUES ('lobby');
