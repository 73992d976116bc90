-- Version 3.

-- What a node says of the bus with its beat: whether its own heartbeat comes back, and which nodes it hears.
ALTER TABLE nodes ADD bus bool NOT NULL DEFAULT false, ADD hears int[] NOT NULL DEFAULT '{}';
