import { Notifications } from '@mantine/notifications';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';
import { createActor } from 'xstate';
import { importsMachine } from '../../src/machines/imports/imports.machine.ts';
import { type AppContext, AppContextProvider } from '../../src/views/app/app-context.tsx';
import { type AppQueries, AppQueriesProvider } from '../../src/views/app/queries-context.tsx';
import { DropIntoPatient } from '../../src/views/import/drop-into-patient.tsx';
import { show } from './render.tsx';

it('rejects files dropped before the patient is loaded, with a message', async () => {
  const importFiles = vi.fn<AppContext['importFiles']>();
  const queries = {
    importsOpen: () => ({ queryKey: ['imports'], queryFn: async () => [] }),
    patient: () => ({ queryKey: ['patient'], queryFn: () => new Promise(() => {}) }),
  } as unknown as AppQueries;
  await show(
    <AppQueriesProvider value={queries}>
      <AppContextProvider value={{ importFiles } as unknown as AppContext}>
        <Notifications />
        <DropIntoPatient
          patientId="0d3c1b1e-93c2-4a79-8a54-6a4f9d4a2c02"
          actor={createActor(importsMachine).start()}
          onStarted={() => {}}
        >
          {() => null}
        </DropIntoPatient>
      </AppContextProvider>
    </AppQueriesProvider>,
  );
  await userEvent.upload(screen.getByTestId('import-files'), new File(['x'], 'a.dcm'));
  expect(await screen.findByText(/still loading/)).toBeTruthy();
  expect(importFiles).not.toHaveBeenCalled();
});
