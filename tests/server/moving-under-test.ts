import { Readable } from 'node:stream';
import { insertDicomDevice } from '../../server/db/stores/dicom-devices.ts';
import type { FetchedObject } from '../../server/dimse/provider/sub-operations.ts';
import { archiveUnderTest } from './archive-under-test.ts';
import { archiveWithoutGet, otherTitle } from './archive-without-get.ts';
import { dataSetIn } from './commitment-under-test.ts';
import { dicomWebOf, objectAt } from './dicomweb-under-test.ts';
import { fetchingArchive, fetchingUnderTest } from './fetching-under-test.ts';
import { gatewayTitle, gatewayUnderTest } from './gateway-under-test.ts';

/** An archive with its gateway that fetches from another archive, which offers no C-GET. */
export const movingUnderTest = async () => {
  const archive = await fetchingArchive();
  const other = await archiveUnderTest();
  const gateway = await gatewayUnderTest(archive);
  const fetching = fetchingUnderTest(archive);
  let scenes = 0;

  /** Lists the archive under test as the only device of the other one. */
  const listArchive = async (port: number | null): Promise<void> => {
    await other.db.deleteFrom('dicom_device').execute();
    const { customerId, adminId: createdBy } = other.clinics;
    const rights = { canRetrieve: true, canStore: false, atOnce: false, seesWorklist: false };
    const device = { customerId, createdBy, name: 'Dentarium', aeTitle: gatewayTitle, address: '127.0.0.1', port };
    await other.db.transaction().execute((transaction) => insertDicomDevice(transaction, { ...device, ...rights }));
  };

  /** Removes fetches and devices, and adds a patient of whom the other archive has a study of three images. */
  const scene = async () => {
    scenes += 1;
    await archive.db.deleteFrom('dicom_fetch').execute();
    await archive.db.deleteFrom('dicom_device').execute();
    await listArchive(gateway.port);
    const number = `19800101-${2000 + scenes}`;
    const root = `2.25.36${scenes}`;
    const named = { PatientID: number, PatientName: 'Lindström^Åsa', PatientBirthDate: '19800101' };
    const own = { personalNumber: number, firstName: 'Åsa', lastName: 'Lindström', birthDate: '1980-01-01' };
    const patientId = await archive.addPatient({ customerId: archive.clinics.customerId, ...own });
    /** An image of the study. */
    const image = (index: number, more: object = {}) =>
      objectAt(root, { ...named, StudyDescription: 'Status', ...more }, index);
    await dicomWebOf(other).addPatient(own, [image(1), image(2), image(3)]);
    const study = {
      studyUid: `${root}.1`,
      description: 'Status',
      studyDate: null,
      patient: { name: 'Lindström^Åsa', patientId: number, birthDate: '1980-01-01' },
      isSamePatient: false,
    };
    return {
      patientId,
      studyUid: study.studyUid,
      image,
      uidOf: (index: number) => `${root}.1.1.${index}`,
      /** Begins to fetch the study. */
      begin: async (port: number, device: object = {}): Promise<string> => {
        const deviceId = await fetching.addDevice({ port, aeTitle: otherTitle, ...device });
        const reply = await fetching.create({ deviceId, patientId, studies: [study] });
        return (await reply.json()).id;
      },
      /** Clinics and studies of what devices have sent without being asked. */
      received: async () => {
        const tasks = archive.db.selectFrom('import_task').select(['customer_id as clinic', 'source_study as study']);
        const rows = await tasks.where('source', '=', 'dicom').where('source_study', 'like', `${root}.%`).execute();
        return rows.toSorted((one, two) => `${one.study} ${one.clinic}`.localeCompare(`${two.study} ${two.clinic}`));
      },
      /** UIDs of the images of the patient. */
      imported: async (): Promise<string[]> => {
        const rows = await archive.db
          .selectFrom('image')
          .innerJoin('series', 'series.id', 'image.series_id')
          .innerJoin('study', 'study.id', 'series.study_id')
          .select('sop_instance_uid as uid')
          .where('study.patient_id', '=', patientId)
          .orderBy('uid')
          .execute();
        return rows.map(({ uid }) => uid);
      },
    };
  };

  return {
    archive,
    other,
    gateway,
    fetching,
    listArchive,
    scene,
    /** The other archive, which sends these objects instead. */
    sending: (change: (object: FetchedObject) => readonly FetchedObject[]) =>
      archiveWithoutGet(other, {
        retrieval: (retrieval) => ({
          ...retrieval,
          onError: () => undefined,
          objectsOf: async (...identifier) => (await retrieval.objectsOf(...identifier)).flatMap(change),
        }),
      }),
    close: async () => {
      await fetching.close();
      await gateway.close();
      await archive.close();
      await other.close();
    },
  };
};

export type MovingUnderTest = Awaited<ReturnType<typeof movingUnderTest>>;
export type MovingScene = Awaited<ReturnType<MovingUnderTest['scene']>>;

/** The object with the data set of a file. */
export const withDataSet = (object: FetchedObject, file: Uint8Array): FetchedObject => ({
  ...object,
  open: async () => Readable.from([dataSetIn(file)]),
});
