-- A run that goes on with fewer nodes has a row for each part.
alter table job_record rename to job_record_of_runs;

create table job_record (
  job_id integer not null,
  run integer not null,
  part integer not null,
  array_job_id integer not null,
  het_job_id integer not null,
  uid integer not null,
  account text not null,
  submitted integer not null,
  ended integer,
  version integer not null,
  body text not null,
  primary key (job_id, run, part)
) without rowid;

insert into job_record
select job_id, run, 0, array_job_id, het_job_id, uid, account, submitted, ended, version, body
from job_record_of_runs;

drop table job_record_of_runs;

create index job_record_ended on job_record (ended);

create index job_record_uid on job_record (uid, submitted);

create index job_record_account on job_record (account collate nocase, submitted);

create index job_record_array on job_record (array_job_id) where array_job_id > 0;

create index job_record_het on job_record (het_job_id) where het_job_id > 0;
