-- A journal that was lost begins anew; what was recorded of the one before it stays, apart from the
-- new. A life is told by the fingerprint of the first event of its journal.
alter table progress add column life integer not null default 1;

alter table progress add column fingerprint integer not null default 0;

alter table job_record add column life integer not null default 1;

alter table node_span add column life integer not null default 1;
