-- Version 2. From here on rows are written in format 2.

-- A name has one account, whatever the case of its letters.
CREATE UNIQUE INDEX account_by_name ON accounts (name COLLATE NOCASE) WHERE name IS NOT NULL;

-- The finished game that a challenge offers a rematch of.
ALTER TABLE challenges ADD COLUMN rematch_of BLOB;

-- The games of an account in the order of their ends, which is that of their row ids.
CREATE INDEX archive_by_white ON archive (white);
CREATE INDEX archive_by_black ON archive (black);
