import { Notifications } from '@mantine/notifications';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';
import { createActor } from 'xstate';
import { importsMachine } from '../../src/machines/imports/imports.machine.ts';
import { type Ground, GroundProvider } from '../../src/views/ground.tsx';
import { DropIntoPatient } from '../../src/views/import/drop-into-patient.tsx';
import { type Reading, ReadingProvider } from '../../src/views/reading.tsx';
import { show } from './render.tsx';

it('takes no file before it can say whose it becomes, and says so', async () => {
  const importFiles = vi.fn<Ground['importFiles']>();
  const reading = {
    importsOpen: () => ({ queryKey: ['imports'], queryFn: async () => [] }),
    patient: () => ({ queryKey: ['patient'], queryFn: () => new Promise(() => {}) }),
  } as unknown as Reading;
  await show(
    <ReadingProvider value={reading}>
      <GroundProvider value={{ importFiles } as unknown as Ground}>
        <Notifications />
        <DropIntoPatient
          patientId="0d3c1b1e-93c2-4a79-8a54-6a4f9d4a2c02"
          actor={createActor(importsMachine).start()}
          onStarted={() => {}}
        >
          {() => null}
        </DropIntoPatient>
      </GroundProvider>
    </ReadingProvider>,
  );
  await userEvent.upload(screen.getByTestId('import-files'), new File(['x'], 'a.dcm'));
  expect(await screen.findByText(/still loading/)).toBeTruthy();
  expect(importFiles).not.toHaveBeenCalled();
});
