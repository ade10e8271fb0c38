import path from 'node:path';
import type { Kysely } from 'kysely';
import { demoClinic } from '../../demo/clinic.ts';
import type { DemoClinic } from '../../demo/clinic-model.ts';
import { type DemoDrawing, drawClinic } from '../../demo/draw-clinic.ts';
import { createDrawPool } from '../../demo/draw-pool.ts';
import { uuidFrom } from '../../dicom/write/uid.ts';
import type { Schema } from '../db/schema.ts';
import { hasCustomers } from '../db/stores/customer-store.ts';
import { sopInstancesOfArchive } from '../db/stores/images.ts';
import { readDemoState, writeDemoState } from '../db/stores/seed-state.ts';
import { createImaging, type Imaging } from '../dicom/imaging.ts';
import { hashPassword } from '../identity/password.ts';
import { insertObject } from '../imports/ledger/insert-objects.ts';
import { readObject } from '../imports/read/read-object.ts';
import type { FileStore } from '../storage/file-store.ts';
import type { FilesRoot } from '../storage/files-home.ts';
import { homeOf } from '../storage/home-of.ts';
import { seedUsers } from './seed-users.ts';
import { seedViewsets } from './seed-viewsets.ts';

export interface SeedDependencies {
  readonly db: Kysely<Schema>;
  /** The data folder that the archive opens afterwards. */
  readonly dataFolder: string;
  /** The files of the archive; by default those of the data folder. */
  readonly filesRoot?: FilesRoot;
  readonly signal?: AbortSignal;
  /** A clinic to seed instead of the full demo clinic. */
  readonly clinicOf?: (anchorDate: string) => DemoClinic;
}

/** Returns whether to create or complete the demo clinic: an interrupted one, or a new installation without any clinic. */
export const isDemoRequested = async (db: Kysely<Schema>): Promise<boolean> => {
  const state = await readDemoState(db);
  if (state) return !state.complete;
  return !(await hasCustomers(db));
};

/** The same in every installation, so that links into the demo clinic can be documented. */
const imageIdOf = (sopInstanceUid: string): string => uuidFrom(`image/${sopInstanceUid}`);

/** Returns the clinic without the images that are stored already. */
const missingOf = async (db: Kysely<Schema>, clinic: DemoClinic): Promise<DemoClinic> => {
  const held = new Set(await sopInstancesOfArchive(db));
  const patients = clinic.patients.map((patient) => ({
    ...patient,
    studies: patient.studies.map((study) => ({
      ...study,
      series: study.series.map((series) => ({
        ...series,
        images: series.images.filter((image) => !held.has(image.sopInstanceUid)),
      })),
    })),
  }));
  return { ...clinic, patients };
};

const fileNameOf = ({ series, image }: DemoDrawing): string =>
  `${series.modality}${String(series.number).padStart(2, '0')}${String(image.number).padStart(4, '0')}.dcm`;

/** Renders, stores, verifies and inserts an image, through the same code as an import. */
const storeDrawing =
  (db: Kysely<Schema>, files: FileStore, imaging: Imaging) =>
  async (bytes: Uint8Array, drawing: DemoDrawing): Promise<void> => {
    const stored = await files.put(
      (async function* () {
        yield bytes;
      })(),
    );
    const inspection = await imaging.inspect({ path: await files.localPath(stored.sha256), sha256: stored.sha256 });
    const object = readObject(inspection, stored, drawing.study.uid);
    const { id: patientId, customerId } = drawing.patient;
    const imageId = imageIdOf(drawing.image.sopInstanceUid);
    const options = { customerId, patientId, imageId, fileName: fileNameOf(drawing) };
    await db.transaction().execute((transaction) => insertObject(transaction, options, object));
  };

/**
 * Seeds the demo clinic, or resumes an interrupted run: its dates keep the day on which it started. Thumbnails are left to the archive.
 * `progress` counts images.
 * @throws when an image cannot be rendered, read or stored
 */
export const seedDemo = async (
  { db, dataFolder, filesRoot = path.join(dataFolder, 'files'), signal, clinicOf = demoClinic }: SeedDependencies,
  progress: (done: number, total: number) => void,
): Promise<void> => {
  const today = new Date().toISOString().slice(0, 10);
  const { anchorDate } = (await readDemoState(db)) ?? { anchorDate: today };
  const clinic = clinicOf(anchorDate);
  await db.transaction().execute(async (transaction) => {
    await writeDemoState(transaction, { anchorDate, complete: false });
    await seedUsers(transaction, clinic, hashPassword);
  });
  const files = await homeOf(filesRoot).openStore();
  const imaging = createImaging();
  const pool = createDrawPool();
  try {
    const store = storeDrawing(db, files, imaging);
    await drawClinic(await missingOf(db, clinic), { pool, store, progress, ...(signal ? { signal } : {}) });
  } finally {
    await Promise.all([pool.close(), imaging.close()]);
  }
  await db.transaction().execute(async (transaction) => {
    await seedViewsets(transaction, clinic, imageIdOf);
    await writeDemoState(transaction, { anchorDate, complete: true });
  });
};
