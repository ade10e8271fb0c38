import type { Connection } from '../search/fill.ts';

const describe = `(array['Kontroll','Helstatus','Bitewing','Panorama','Akut','Implantat','Rotfyllning','Remiss'])[1 + floor(power(random(), 2) * 8)::int]`;
const modality = `case when random() < 0.01 then 'CT' when random() < 0.15 then 'PX' when random() < 0.05 then 'DX' else 'IO' end`;
/** Attributes as the archive reads them from files (PS3.18 F.2). */
const attributes = `jsonb_build_object(
  '00080008', '{"vr":"CS","Value":["ORIGINAL","PRIMARY"]}'::jsonb,
  '00080030', jsonb_build_object('vr', 'TM', 'Value', jsonb_build_array(at)),
  '00080031', jsonb_build_object('vr', 'TM', 'Value', jsonb_build_array(at)),
  '00080090', jsonb_build_object('vr', 'PN', 'Value', jsonb_build_array(jsonb_build_object('Alphabetic', 'Referrer' || bench_study.number % 5000 || '^Anna'))),
  '00200010', jsonb_build_object('vr', 'SH', 'Value', jsonb_build_array('S' || bench_study.number)),
  '00280100', '{"vr":"US","Value":[16]}'::jsonb)`;

/** Each patient of a clinic gets a study of two images, one in ten a second study; dates of ten years. Triggers are disabled. */
export const addStudies = async (client: Connection, customerId: string): Promise<void> => {
  await client.query("set session_replication_role = 'replica'");
  await client.query(`create temporary table bench_study as
    select gen_random_uuid() as id, patient.id as patient_id, row_number() over () as number,
      current_date - floor(random() * 3650)::int as day, to_char(time '07:00' + random() * interval '10 hours', 'HH24MISS') as at
    from patient, generate_series(1, 2) as n
    where patient.customer_id = '${customerId}' and (n = 1 or random() < 0.1)`);
  await client.query(`insert into study (id, customer_id, patient_id, uid, description, study_date, accession_number, search_text)
    select id, '${customerId}', patient_id, '2.25.' || number, named, day, 'A' || number, folded_words(named || ' A' || number)
    from (select *, ${describe} as named from bench_study) as study`);
  await client.query(`insert into study_word (customer_id, word, study_id)
    select customer_id, word, id from study, study_words(search_text) as word where customer_id = '${customerId}' order by 1, 2, 3`);
  await client.query(`insert into series (id, study_id, uid, modality, number)
    select gen_random_uuid(), id, '2.25.' || number || '.1', ${modality}, 1 from bench_study`);
  await client.query(`insert into image (id, customer_id, series_id, sop_instance_uid, sop_class_uid, kind, source, sha256, size_bytes, file_name, number,
      rows, columns, frames, transfer_syntax, compression, thumb_status, rendition_status, dicom_attributes)
    select gen_random_uuid(), '${customerId}', series.id, series.uid || '.' || n, '1.2.840.10008.5.1.4.1.1.1.3', 'image', 'dicom', repeat('0', 64), 1000000,
      'image.dcm', n, 1200, 800, 1, '1.2.840.10008.1.2.1', 'none', 'error', 'error', ${attributes}
    from bench_study join series on series.study_id = bench_study.id, generate_series(1, 2) as n`);
  await client.query("set session_replication_role = 'origin'");
  await client.query('vacuum analyze study, study_word, series, image');
};

/** What a search for a study may state. */
export interface SearchedStudy {
  readonly uid: string;
  readonly number: string;
  readonly first: string;
  readonly last: string;
  /** `YYYYMMDD` */
  readonly born: string;
  readonly day: string;
  /** `HHMMSS` */
  readonly time: string;
  readonly accession: string;
  readonly studyId: string;
  readonly referrer: string;
}

/** Returns randomly chosen studies of a clinic. */
export const sampleStudies = async (client: Connection, customerId: string, many: number): Promise<SearchedStudy[]> => {
  const { rows } = await client.query<SearchedStudy>(
    `select study.uid, patient.personal_number as number, patient.first_name as first, patient.last_name as last,
      to_char(patient.birth_date, 'YYYYMMDD') as born, to_char(study.study_date, 'YYYYMMDD') as day,
      dicom_attributes #>> '{00080030,Value,0}' as time, study.accession_number as accession,
      dicom_attributes #>> '{00200010,Value,0}' as "studyId", dicom_attributes #>> '{00080090,Value,0,Alphabetic}' as referrer
    from (select * from study where customer_id = $1 and id > gen_random_uuid() order by id limit $2) as study
      join patient on patient.id = study.patient_id join series on series.study_id = study.id
      join image on image.series_id = series.id and image.number = 1`,
    [customerId, many],
  );
  return rows;
};
