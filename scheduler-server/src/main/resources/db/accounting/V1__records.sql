-- The event after which the records are as they are.
create table progress (
  id integer primary key check (id = 1),
  sequence integer not null
);

insert into progress values (1, 0);

-- A row for each run of a job; what is not looked for by itself is in the body.
create table job_record (
  job_id integer not null,
  run integer not null,
  array_job_id integer not null,
  het_job_id integer not null,
  uid integer not null,
  account text not null,
  submitted integer not null,
  ended integer,
  version integer not null,
  body text not null,
  primary key (job_id, run)
) without rowid;

create index job_record_ended on job_record (ended);

create index job_record_uid on job_record (uid, submitted);

create index job_record_account on job_record (account collate nocase, submitted);

create index job_record_array on job_record (array_job_id) where array_job_id > 0;

create index job_record_het on job_record (het_job_id) where het_job_id > 0;
