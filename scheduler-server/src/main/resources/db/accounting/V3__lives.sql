-- Tells the last recorded event from another at its place: a journal that was lost begins anew, and
-- what was recorded of the one before it stays. 0 is not known.
alter table progress add column fingerprint integer not null default 0;
