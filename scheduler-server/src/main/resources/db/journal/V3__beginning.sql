-- Where the events begin when earlier ones were forgotten: the state that they led to, and the
-- checksum of the last of them, by which those who follow tell this journal from another.
create table beginning (
  one integer primary key check (one = 1),
  sequence integer not null,
  at text not null,
  fingerprint integer not null,
  body blob not null,
  crc integer not null
);
