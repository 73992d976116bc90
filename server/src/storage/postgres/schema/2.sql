-- Version 2. From here on rows are written in format 6.

-- A live game has an owner: the node that wrote its last claim, or its first record. Nobody owns a game that rests, that was
-- given up, or that was live before this version.
ALTER TABLE live ADD owner int;
CREATE INDEX live_by_owner ON live (owner) WHERE NOT resting AND aside IS NULL;
CREATE INDEX live_by_white ON live (white);
CREATE INDEX live_by_black ON live (black);

-- Several nodes may serve at a time, if each of them says so. `at_us` is where a node's axis stood when it said that it lives.
ALTER TABLE nodes ADD several bool NOT NULL DEFAULT false, ADD at_us bigint;

-- When a segment was made, by the database's clock: those before it are kept for a while longer.
ALTER TABLE segments ADD made timestamptz NOT NULL DEFAULT now();

-- Each node has an axis of its own, and heartbeats on it. Those of the processes before this version are on one axis, and stand
-- under node 0.
ALTER TABLE beats ADD node int NOT NULL DEFAULT 0;
ALTER TABLE beats ALTER node DROP DEFAULT, DROP CONSTRAINT beats_pkey, ADD PRIMARY KEY (node, at_us);
