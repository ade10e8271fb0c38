import { type Kysely, sql } from 'kysely';

/** The patients whose gallery rows change, in the parameters of `gallery_refresh`. */
const concerned = `array(
  select unnest(patients || left_patients)
  union select study.patient_id from study where study.id = any(studies)
  union select study.patient_id from series join study on study.id = series.study_id where series.id = any(all_series)
  union select study.patient_id from image join series on series.id = image.series_id join study on study.id = series.study_id
    where image.id = any(images))`;

/**
 * Locks the patients in the order of their ids. A study may go to another patient while its own is waited for: then all locks are released by the end
 * of a subtransaction and taken again in order, as adding one to those held could meet another transaction's in the other order.
 */
const refresh = `create or replace function gallery_refresh(images uuid[], all_series uuid[], studies uuid[], patients uuid[], left_patients uuid[])
  returns void language plpgsql as $body$
    declare
      wanted uuid[] := ${concerned};
      found uuid[];
      meant uuid[];
    begin
      loop
        begin
          perform from patient where id = any(wanted) order by id for no key update;
          found := ${concerned};
          exit when found <@ wanted;
          raise sqlstate 'GR001';
        exception when sqlstate 'GR001' then
          wanted := found;
        end;
      end loop;
      meant := array(
        select unnest(images)
        union select id from image where series_id = any(all_series)
        union select image.id from series join image on image.series_id = series.id where series.study_id = any(studies)
        union select image.id from study join series on series.study_id = study.id join image on image.series_id = series.id
          where study.patient_id = any(patients));
      delete from gallery_image where image_id = any(meant);
      insert into gallery_image select * from gallery_source where image_id = any(meant);
    end
  $body$`;

const statements = [
  refresh,
  `do $body$ begin
    execute format('alter function gallery_refresh(uuid[], uuid[], uuid[], uuid[], uuid[]) set search_path = %I, pg_temp', current_schema());
  end $body$`,
];

/** Changes of the gallery no longer wait for each other in a circle. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  for (const statement of statements) await sql.raw(statement).execute(db);
};
