import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';
import type { ImageDose, PatientDose } from '../../contract/dose.ts';
import { ServiceError } from '../../src/services/failure.ts';
import { type AppQueries, AppQueriesProvider } from '../../src/views/app/queries-context.tsx';
import { ImageDoseFold, PatientDoseFold } from '../../src/views/workspace/dose/dose-folds.tsx';
import { idOf } from './records.ts';
import { show } from './render.tsx';

const stated: ImageDose = {
  tubeVoltageKv: 65,
  tubeCurrentMa: 6.3,
  exposureTimeMs: null,
  areaDoseMgyCm2: 5,
  entranceDoseMgy: null,
  exposureIndex: 1410.5,
  targetExposureIndex: null,
  deviationIndex: -0.3,
};

const openImage = async (read: () => Promise<ImageDose>) => {
  const queryFn = vi.fn(read);
  const imageDose: AppQueries['imageDose'] = (id) => ({ queryKey: ['dose', 'image', id], queryFn });
  await show(
    <AppQueriesProvider value={{ imageDose } as AppQueries}>
      <ImageDoseFold id={idOf(7)} />
    </AppQueriesProvider>,
  );
  expect(queryFn).not.toHaveBeenCalled();
  await userEvent.click(screen.getByText('Exposure and dose'));
};
const openPatient = async (dose: PatientDose) => {
  const patientDose: AppQueries['patientDose'] = (id) => ({
    queryKey: ['dose', 'patient', id],
    queryFn: async () => dose,
  });
  await show(
    <AppQueriesProvider value={{ patientDose } as AppQueries}>
      <PatientDoseFold id={idOf(1)} />
    </AppQueriesProvider>,
  );
  await userEvent.click(screen.getByText('Radiation dose'));
};

it('shows what the file of an image states, with units, once it is opened', async () => {
  await openImage(async () => stated);
  await screen.findByText('Tube voltage');
  const values = screen
    .getAllByRole('term')
    .map((term) => [term.textContent, term.nextElementSibling?.textContent?.replaceAll('\u00a0', ' ')]);
  expect(values).toEqual([
    ['Tube voltage', '65 kV'],
    ['Tube current', '6.3 mA'],
    ['Exposure time', 'not stated'],
    ['Dose area product', '5 mGy·cm²'],
    ['Entrance dose', 'not stated'],
    ['Exposure index', '1410.5'],
    ['Target exposure index', 'not stated'],
    ['Deviation index', '-0.3'],
  ]);
});

it('says why the values of an image are not shown', async () => {
  await openImage(async () => {
    throw new ServiceError({ kind: 'offline' });
  });
  await screen.findByText(/^The dose could not be loaded\./);
});

it('shows the sums of a patient by year beside the medians of the clinic', async () => {
  const bitewings = { exposures: 3, stated: 2, areaDoseMgyCm2: 10 };
  await openPatient({
    years: [
      {
        year: 2026,
        exposures: 4,
        stated: 2,
        areaDoseMgyCm2: 10,
        kinds: [
          { kind: 'bitewing', ...bitewings },
          { kind: 'panoramic', exposures: 1, stated: 0, areaDoseMgyCm2: null },
        ],
      },
      { year: null, ...bitewings, kinds: [{ kind: 'bitewing', ...bitewings }] },
    ],
    medians: [{ kind: 'bitewing', exposures: 120, areaDoseMgyCm2: 4.25 }],
    unread: 2,
  });
  const items = (await screen.findAllByRole('listitem')).map(({ textContent }) =>
    textContent?.replaceAll('\u00a0', ' '),
  );
  const ofBitewings =
    'Bitewing10 mGy·cm²3 exposures, 2 with a stated doseClinic median per exposure: 4.25 mGy·cm² (120 exposures)';
  const ofPanoramics =
    'Panoramicnot stated1 exposure, 0 with a stated doseNo clinic median: no stated dose in the last 12 months';
  expect(items).toEqual([
    `202610 mGy·cm²4 exposures, 2 with a stated dose${ofBitewings}${ofPanoramics}`,
    ofBitewings,
    ofPanoramics,
    `No date10 mGy·cm²3 exposures, 2 with a stated dose${ofBitewings}`,
    ofBitewings,
  ]);
  expect(screen.getByRole('status').textContent).toBe(
    '2 files have not been read yet. Their doses are not in the sums.',
  );
  expect(document.body.textContent).not.toContain('mSv');
});

it('says when a patient has no radiographs', async () => {
  await openPatient({ years: [], medians: [], unread: 0 });
  await screen.findByText('The patient has no radiographs.');
});
