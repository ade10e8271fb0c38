import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ArchiveUnderTest, archiveUnderTest } from './archive-under-test.ts';
import { dicomWebOf, valuesOf } from './dicomweb-under-test.ts';

let archive: ArchiveUnderTest;
let web: ReturnType<typeof dicomWebOf>;

/** More than the studies that are looked up by the entries of an index. */
const many = 20_050;

/** Patients with one study of one image each: the study of number n is n days older than the first. */
beforeAll(async () => {
  archive = await archiveUnderTest();
  web = dicomWebOf(archive);
  const { customerId } = archive.clinics;
  await sql`with person as (
      insert into patient (id, customer_id, personal_number, first_name, last_name, search_text, last_words, search_digits)
      select gen_random_uuid(), ${customerId}, 'x' || n, 'Anna', 'Vanlig' || case when n % 10000 = 0 then 'rar' else '' end,
        ' vanlig' || case when n % 10000 = 0 then 'rar' else '' end || ' anna', 1, n::text
      from generate_series(1, ${many}::integer) as n returning id, search_digits::integer as n),
    examined as (
      insert into study (id, customer_id, patient_id, uid, description, search_text, study_date)
      select gen_random_uuid(), ${customerId}, id, '2.25.7.' || n, 'Helstatus', ' helstatus', date '2026-01-01' - n
      from person returning id, uid),
    one as (
      insert into series (id, study_id, uid, modality, number)
      select gen_random_uuid(), id, uid || '.1', case when uid like '%0000' then 'PX' else 'IO' end, 1 from examined returning id, uid)
    insert into image (id, customer_id, series_id, sop_instance_uid, kind, source, sha256, size_bytes, file_name, rows, columns, frames,
      transfer_syntax, compression, thumb_status, rendition_status, dicom_attributes)
    select gen_random_uuid(), ${customerId}, id, uid || '.1', 'image', 'dicom', repeat('0', 64), 1, 'image.dcm', 1, 1, 1, '1.2', 'none', 'error', 'error',
      jsonb_build_object('00200010', jsonb_build_object('vr', 'SH', 'Value', jsonb_build_array('S' || split_part(uid, '.', 4))),
        '00080030', jsonb_build_object('vr', 'TM', 'Value', jsonb_build_array(
          case when split_part(uid, '.', 4)::integer % 10000 = 0 then '033000' when split_part(uid, '.', 4)::integer > 15000 then '140000' else '100059.5' end)))
    from one`.execute(archive.db);
  await sql`analyze patient, patient_word, study, study_word, series, image`.execute(archive.db);
});
afterAll(() => archive?.close());

const found = async (place: string) =>
  valuesOf(await web.json(place), '0020000D').map((uid) => String(uid).split('.').at(3));

it.each([
  'PatientName=Vanlig*',
  'PatientName=*anli*',
  'PatientName=Vanl Anna&fuzzymatching=true',
  'ModalitiesInStudy=IO,PX',
  'StudyID=S*',
  'StudyTime=03-14',
  '',
])('%s, which nearly all studies have, gives them newest first, page by page', async (query) => {
  expect(await found(`/studies?${query}&limit=3`)).toEqual(['1', '2', '3']);
  expect(await found(`/studies?${query}&limit=2&offset=20040`)).toEqual(['20041', '20042']);
  const reply = await web.call(`/studies?${query}&limit=100&offset=${many - 110}`);
  expect(reply.headers.get('warning')).toContain('There are 10 additional results');
});

it.each([
  ['/studies?PatientName=Vanligrar', ['10000', '20000']],
  ['/studies?PatientName=*ligra*', ['10000', '20000']],
  ['/studies?PatientName=Vanl*&ModalitiesInStudy=PX', ['10000', '20000']],
  ['/studies?StudyTime=0300-0330', ['10000', '20000']],
  ['/studies?StudyTime=1000-1000&limit=2&offset=9998', ['9999', '10001']],
  ['/studies?StudyTime=1300-&limit=2', ['15001', '15002']],
  ['/series?StudyTime=1300-&limit=1&offset=2', ['15003']],
  ['/studies?StudyID=S777&PatientName=Vanlig*', ['777']],
  ['/series?Modality=PX', ['10000', '20000']],
  ['/instances?PatientName=Vanligrar&limit=1&offset=1', ['20000']],
  ['/series?Modality=IO&limit=2&offset=9998', ['9999', '10001']],
  ['/studies?StudyDate=20251231-20260101&StudyDescription=Helstatus', ['1']],
])('%s finds %j', async (place, numbers) => {
  expect(await found(place)).toEqual(numbers);
});
