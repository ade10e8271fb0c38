import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';
import { Router } from 'wouter';
import { memoryLocation } from 'wouter/memory-location';
import type { AppQueries } from '../../../src/views/app/queries-context.tsx';
import { MountOffer } from '../../../src/views/workspace/patient/mount-offer.tsx';
import { image, refused, series, showWith, study, template, viewset, writing } from '../edit/edit-fixture.tsx';
import { InWorkspace } from '../in-workspace.tsx';
import { idOf } from '../records.ts';

const offer = async (changes: Partial<AppQueries> = {}, disabledReason: string | null = null) => {
  const archive = writing({
    templates: () => ({ queryKey: ['templates'], queryFn: async () => [template(2, 'Bitewing 2')] }),
    ...changes,
  });
  const { hook, history } = memoryLocation({ record: true });
  const unmounted = study({ series: [series([image(1), image(2)])], viewsets: [] });
  await showWith(
    archive,
    <Router hook={hook}>
      <InWorkspace edit={{ request: () => undefined, disabledReason: () => disabledReason }}>
        <MountOffer study={unmounted} />
      </InWorkspace>
    </Router>,
  );
  return { archive, history };
};
const button = () => screen.findByRole('button', { name: 'Place in “Bitewing 2”' });

it('makes the mount that fits with its images, and opens it', async () => {
  const { archive, history } = await offer();
  expect((await button()).title).toBe('2 of 2 images without a mount fit “Bitewing 2”');
  await userEvent.click(await button());
  await waitFor(() => expect(history?.at(-1)).toBe(`/patient/${idOf(1)}/${viewset.studyUid}/${viewset.viewSetUuid}`));
  expect(archive.createViewset).toHaveBeenCalledExactlyOnceWith({
    patientUID: idOf(1),
    currentStudyUID: '2.25.6',
    currentViewsetUID: null,
    templateUUID: template(2, '').uuid,
    placeImages: true,
  });
});

it('stays after an error, which is shown', async () => {
  const createViewset = vi.fn<AppQueries['createViewset']>(async () => {
    throw refused('not-found');
  });
  await offer({ createViewset });
  await userEvent.click(await button());
  expect(await screen.findByRole('alert')).toBeTruthy();
  expect((await button()).getAttribute('data-loading')).toBeNull();
});

it('is absent without the right to make a mount, and then asks for no templates', async () => {
  const templates = vi.fn<AppQueries['templates']>();
  templates.mockReturnValue({ queryKey: ['templates'], queryFn: async () => Promise.reject(new Error('asked')) });
  await offer({ templates }, 'Not yours');
  expect(screen.queryByRole('button', { name: /^Place in/ })).toBeNull();
});
