-- Times in which nodes were in service, or were not.
create table node_span (
  node text not null,
  started integer not null,
  ended integer,
  version integer not null,
  body text not null,
  primary key (node, started)
) without rowid;

create index node_span_ended on node_span (ended);
