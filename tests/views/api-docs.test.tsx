import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import document from '../../contract/openapi.json' with { type: 'json' };
import { ServiceError } from '../../src/services/failure.ts';
import { ApiPage } from '../../src/views/api-docs/api-page.tsx';
import { anArchive, WithAdministration } from './administration-fixture.tsx';
import { show } from './render.tsx';

const open = async (answer: () => unknown) =>
  show(
    <WithAdministration call={anArchive(answer).call}>
      <ApiPage />
    </WithAdministration>,
  );

it('lists the calls by tag, filters them and shows the schemas of one', async () => {
  await open(() => document);
  const tokens = await screen.findByRole('region', { name: 'tokens' }, { timeout: 20_000 });
  expect(within(tokens).getByText('/connect/token')).toBeTruthy();
  await userEvent.type(screen.getByRole('searchbox', { name: 'Search calls' }), 'ImageImport/dicom/zip');
  expect(screen.queryByText('/connect/token')).toBeNull();
  const call = screen.getByText('/resource/ImageImport/dicom/zip');
  await userEvent.click(call);
  expect(screen.getByText(/"multipart\/form-data"/)).toBeTruthy();
});

it('shows parameters, bodies and replies that several calls have in full', async () => {
  await open(() => document);
  await screen.findByRole('region', { name: 'tokens' }, { timeout: 20_000 });
  await userEvent.type(screen.getByRole('searchbox', { name: 'Search calls' }), 'Account/delete');
  await userEvent.click(screen.getByText('/api/Account/delete/{id}'));
  expect(screen.getByRole('region', { name: 'Parameters' }).textContent).toContain('"in": "path"');
  const reply = screen.getByRole('region', { name: 'Reply' });
  expect(reply.textContent).toContain('"$ref": "#/components/schemas/EmptyReply"');
  expect(reply.textContent).toContain('"$ref": "#/components/schemas/Problem"');
  expect(reply.textContent).not.toContain('#/components/responses/');
});

it('reports that the description failed to load, and retries', async () => {
  let fails = true;
  await open(() => {
    if (fails) throw new ServiceError({ kind: 'refused', status: 500, code: 'internal', errors: [] });
    return document;
  });
  await screen.findByText('The description of the API could not be loaded', {}, { timeout: 20_000 });
  fails = false;
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByRole('region', { name: 'tokens' })).toBeTruthy();
});
