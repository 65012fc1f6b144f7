-- Which of several controllers may write, and how far a replicated journal has come.
create table control (
  key text primary key,
  value integer not null,
  holder text not null
) without rowid;
