-- Every record carries a checksum over its key, its version and its text.
create table event (
  sequence integer primary key,
  version integer not null,
  type text not null,
  body text not null,
  crc integer not null
);

create table script (
  job_id integer primary key,
  version integer not null,
  body blob not null,
  crc integer not null
);

-- The state after one event, a row per job, node and so on, so that only what changed is rewritten.
create table snapshot (
  kind text not null,
  key text not null,
  version integer not null,
  body text not null,
  crc integer not null,
  primary key (kind, key)
) without rowid;
