import { type Kysely, sql } from 'kysely';

/** Letters that Unicode does not take apart into a letter and a mark. */
const single = ['øłđðıØŁĐÐ', 'olddioldd'] as const;
const pairs = { æ: 'ae', Æ: 'ae', œ: 'oe', Œ: 'oe', ß: 'ss', þ: 'th', Þ: 'th' } as const;
/** What parts words, beside the signs of ASCII. */
const otherSigns = '\\u0080-\\u00bf\\u00d7\\u00f7\\u2000-\\u206f\\u3000-\\u303f';

const withPairs = (text: string): string =>
  Object.entries(pairs).reduce((inner, [letter, two]) => `replace(${inner}, '${letter}', '${two}')`, text);

const statements = [
  // Words as server/domain/search-key.ts folds them, with a space before each. Needs a database in UTF-8, as ours are.
  `create function gallery_words(text) returns text language sql immutable strict parallel safe as $body$
    select ' ' || trim(regexp_replace(regexp_replace(${withPairs(
      `translate(lower(regexp_replace(normalize($1, NFKD), '[\\u0300-\\u036f]', '', 'g') collate "C"), '${single[0]}', '${single[1]}')`,
    )}, '[''’\`.]', '', 'g'), '[\\u0001-\\u002f\\u003a-\\u0040\\u005b-\\u0060\\u007b-\\u007f${otherSigns}]+', ' ', 'g'))
  $body$`,
  `create table gallery_image (
    image_id uuid primary key references image on delete cascade, customer_id uuid not null, patient_id uuid not null,
    patient_key text collate "C" not null, shown_at text collate "C" not null, modality text collate "C" not null, source text not null,
    teeth integer[] not null, size_bytes bigint not null, created_at timestamptz not null, search_text text collate "C" not null)`,
  // What the table holds, from the records themselves. Images alone, and of those only what is not in the recycle bin in any way.
  `create view gallery_source as
    select image.id as image_id, image.customer_id, study.patient_id,
      list_key(patient.last_name || ' ' || patient.first_name) as patient_key,
      coalesce(image.acquired_at, to_char(study.study_date, 'YYYY-MM-DD'), '') as shown_at,
      series.modality, image.source, coalesce(image.chosen_teeth, image.teeth) as teeth, image.size_bytes, image.created_at,
      gallery_words(patient.first_name || ' ' || patient.last_name) || ' ' || lower(patient.search_digits) ||
        gallery_words(study.description || ' ' || coalesce(image.comments, '') || ' ' || image.file_name) as search_text
    from image
    join series on series.id = image.series_id
    join study on study.id = series.study_id
    join patient on patient.id = study.patient_id
    where image.kind = 'image' and image.deleted_at is null and series.deleted_at is null and study.deleted_at is null
      and patient.deleted_at is null`,
  /*
   * Writes the rows of these images, and of all images of these series, studies and patients, anew. Only who holds the patients' rows writes: what is
   * not yet committed cannot be seen, so two who change an image and its patient at once must wait for each other, or the later one would write
   * down what the earlier one has just replaced. A study may go over to another patient while its own is waited for: hence the loop. `left_patients`: who
   * is no longer the patient, and waited for as well.
   */
  `create function gallery_refresh(images uuid[], all_series uuid[], studies uuid[], patients uuid[], left_patients uuid[]) returns void language plpgsql as $body$
    declare
      wanted uuid[];
      held uuid[] := '{}';
      meant uuid[];
    begin
      loop
        wanted := array(
          select unnest(patients || left_patients)
          union select study.patient_id from study where study.id = any(studies)
          union select study.patient_id from series join study on study.id = series.study_id where series.id = any(all_series)
          union select study.patient_id from image join series on series.id = image.series_id join study on study.id = series.study_id
            where image.id = any(images));
        exit when wanted <@ held;
        perform from patient where id = any(wanted) order by id for no key update;
        held := held || wanted;
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
  $body$`,
  `create function gallery_of_new_images() returns trigger language plpgsql as $body$
    begin
      perform gallery_refresh(array(select id from added where kind = 'image'), '{}', '{}', '{}', '{}');
      return null;
    end
  $body$`,
  `create trigger gallery_added after insert on image referencing new table as added
    for each statement execute function gallery_of_new_images()`,
  `create function gallery_of_image() returns trigger language plpgsql as
    $body$ begin
      perform gallery_refresh(array[new.id], case when old.series_id = new.series_id then '{}' else array[old.series_id] end, '{}', '{}', '{}');
      return null;
    end $body$`,
  // Thumbnails, renditions, measurements and versions change far more often and are nothing of the gallery's.
  `create trigger gallery_changed after update on image for each row
    when ((old.deleted_at is null, old.customer_id, old.series_id, old.kind, old.source, old.file_name, old.size_bytes, old.created_at,
        old.teeth, old.chosen_teeth, old.acquired_at, old.comments)
      is distinct from (new.deleted_at is null, new.customer_id, new.series_id, new.kind, new.source, new.file_name, new.size_bytes,
        new.created_at, new.teeth, new.chosen_teeth, new.acquired_at, new.comments))
    execute function gallery_of_image()`,
  `create function gallery_of_series() returns trigger language plpgsql as
    $body$ begin perform gallery_refresh('{}', array[new.id], array[old.study_id, new.study_id], '{}', '{}'); return null; end $body$`,
  `create trigger gallery_changed after update on series for each row
    when ((old.deleted_at is null, old.modality, old.study_id) is distinct from (new.deleted_at is null, new.modality, new.study_id))
    execute function gallery_of_series()`,
  `create function gallery_of_study() returns trigger language plpgsql as
    $body$ begin perform gallery_refresh('{}', '{}', array[new.id], '{}', array[old.patient_id]); return null; end $body$`,
  `create trigger gallery_changed after update on study for each row
    when ((old.deleted_at is null, old.patient_id, old.description, old.study_date)
      is distinct from (new.deleted_at is null, new.patient_id, new.description, new.study_date))
    execute function gallery_of_study()`,
  `create function gallery_of_patient() returns trigger language plpgsql as
    $body$ begin perform gallery_refresh('{}', '{}', '{}', array[new.id], '{}'); return null; end $body$`,
  `create trigger gallery_changed after update on patient for each row
    when ((old.deleted_at is null, old.first_name, old.last_name, old.search_digits)
      is distinct from (new.deleted_at is null, new.first_name, new.last_name, new.search_digits))
    execute function gallery_of_patient()`,
  'insert into gallery_image select * from gallery_source',
  'create index gallery_date on gallery_image (customer_id, shown_at, image_id)',
  'create index gallery_patient on gallery_image (customer_id, patient_key, patient_id, shown_at, image_id)',
  'create index gallery_modality on gallery_image (customer_id, modality, shown_at, image_id)',
  'create index gallery_size on gallery_image (customer_id, size_bytes, image_id)',
  // Uploads follow the days on which images were taken: who wants the newest uploads of an old year walks a long way, but through the index alone.
  'create index gallery_upload on gallery_image (customer_id, created_at, image_id) include (shown_at)',
  // All others are DICOM objects; an index would not help to find them.
  `create index gallery_pictures on gallery_image (customer_id, shown_at, image_id) where source = 'picture'`,
  'create index gallery_teeth on gallery_image using gin (teeth)',
  'create index gallery_search on gallery_image using gin (search_text gin_trgm_ops)',
  'analyze gallery_image',
];

/** The gallery: the images of a clinic in every order, however many there are. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  for (const statement of statements) await sql.raw(statement).execute(db);
};
