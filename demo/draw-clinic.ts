import type { DemoClinic, DemoImage, DemoPatient, DemoSeries, DemoStudy } from './clinic-model.ts';
import type { DrawPool } from './draw-pool.ts';
import type { ImageIdentity } from './recipe.ts';

/** One image of the demo clinic with its study and patient. */
export interface DemoDrawing {
  readonly patient: DemoPatient;
  readonly study: DemoStudy;
  readonly series: DemoSeries;
  readonly image: DemoImage;
  readonly identity: ImageIdentity;
}

/** Returns all images of the clinic, by patient. */
export const drawingsOf = (clinic: DemoClinic): readonly DemoDrawing[] => {
  const names = new Map(clinic.customers.map(({ id, organisationName }) => [id, organisationName]));
  return clinic.patients.flatMap((patient) =>
    patient.studies.flatMap((study) =>
      study.series.flatMap((series) =>
        series.images.map((image) => {
          const { recipe: _recipe, ...shot } = image;
          const identity: ImageIdentity = {
            patient,
            institutionName: names.get(patient.customerId) ?? '',
            study,
            series,
            image: shot,
          };
          return { patient, study, series, image, identity: plain(identity) };
        }),
      ),
    ),
  );
};

/** Returns only the attributes that the image needs, because they are copied to a worker. */
const plain = ({ patient, institutionName, study, series, image }: ImageIdentity): ImageIdentity => ({
  patient: {
    patientId: patient.patientId,
    firstName: patient.firstName,
    lastName: patient.lastName,
    birthDate: patient.birthDate,
    sex: patient.sex,
  },
  institutionName,
  study: {
    uid: study.uid,
    description: study.description,
    accessionNumber: study.accessionNumber,
    startedAt: study.startedAt,
  },
  series: { uid: series.uid, number: series.number, description: series.description },
  image,
});

export interface DrawClinicOptions {
  readonly pool: DrawPool;
  /** Stores one file. Drawing waits for its promise, which limits memory use. */
  store(bytes: Uint8Array, drawing: DemoDrawing): Promise<void>;
  progress?(done: number, total: number): void;
  readonly signal?: AbortSignal;
}

/**
 * Draws every image of the clinic in order, a few ahead of the store. Rejects with the first error, or with the reason
 * of the signal; files already stored remain.
 */
export const drawClinic = async (
  clinic: DemoClinic,
  { pool, store, progress, signal }: DrawClinicOptions,
): Promise<void> => {
  const drawings = drawingsOf(clinic);
  let next = 0;
  let done = 0;
  let stopped = false;
  const drawNext = async (): Promise<void> => {
    for (;;) {
      signal?.throwIfAborted();
      const drawing = drawings[next++];
      if (drawing === undefined || stopped) return;
      const bytes = await pool.drawImage(drawing.image.recipe, drawing.identity);
      await store(bytes, drawing);
      done++;
      progress?.(done, drawings.length);
    }
  };
  const workers = Array.from({ length: pool.size + 2 }, drawNext);
  try {
    await Promise.all(workers);
  } finally {
    stopped = true;
    await Promise.allSettled(workers);
  }
};
