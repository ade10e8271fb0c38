import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';
import type { AzureSettings as Ids } from '../../contract/configuration.ts';
import type { ErrorItem, ProblemCode } from '../../contract/problem.ts';
import { ServiceError } from '../../src/services/failure.ts';
import { type AppQueries, AppQueriesProvider } from '../../src/views/app/queries-context.tsx';
import { AzureSettings } from '../../src/views/azure/azure-settings.tsx';
import { show } from './render.tsx';

const ids: Ids = { clientId: '6f1f0c0e-9a54-4a0e-8d5a-0c4a7be1d001', tenantId: '2b8a6f1e-3c57-4d1b-9a70-5f1e0e7ad101' };
const refused = (code: ProblemCode, errors: ErrorItem[] = []) =>
  new ServiceError({ kind: 'refused', status: 400, code, errors });

/** Renders the dialog over an API with this first reply. */
const open = async (read: () => Promise<Ids | null>) => {
  const archive = {
    azure: () => ({ queryKey: ['azure'], queryFn: read }),
    saveAzure: vi.fn<AppQueries['saveAzure']>(async (body) => body),
    removeAzure: vi.fn<AppQueries['removeAzure']>(async () => undefined),
  };
  const onClose = vi.fn<() => void>();
  await show(
    <AppQueriesProvider value={archive as unknown as AppQueries}>
      <AzureSettings onClose={onClose} />
    </AppQueriesProvider>,
  );
  return { ...archive, onClose };
};
const field = (name: RegExp) => screen.findByRole<HTMLInputElement>('textbox', { name });
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }));

it('shows that nothing is configured, and saves two ids', async () => {
  const { saveAzure, onClose } = await open(async () => null);
  await userEvent.type(await field(/client/), ` ${ids.clientId} `);
  await userEvent.type(await field(/tenant/), ids.tenantId);
  expect(screen.getByText(/not set up/)).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Remove' })).toBeNull();
  await press('Save');
  await waitFor(() => expect(saveAzure).toHaveBeenCalledExactlyOnceWith(ids));
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce());
});

it('reports each invalid field and sends nothing', async () => {
  const { saveAzure } = await open(async () => null);
  await userEvent.type(await field(/client/), ids.clientId.slice(1));
  await press('Save');
  expect((await field(/client/)).getAttribute('aria-invalid')).toBe('true');
  expect(screen.getByText('Must be exactly 36 characters')).toBeTruthy();
  expect(screen.getByText('Fill in this field')).toBeTruthy();
  await waitFor(async () => expect(document.activeElement).toBe(await field(/client/)));
  await userEvent.clear(await field(/client/));
  await userEvent.type(await field(/client/), 'x'.repeat(36));
  await press('Save');
  expect(screen.getByText(/Not a valid ID/)).toBeTruthy();
  expect(saveAzure).not.toHaveBeenCalled();
});

it('shows a rejected directory at its field, preserves the input, and can be retried', async () => {
  const { saveAzure, onClose } = await open(async () => ids);
  saveAzure.mockRejectedValueOnce(refused('invalid-request', [{ fieldKey: 'tenantId' }]));
  await field(/tenant/);
  await press('Save');
  expect(await screen.findByText('There is no such directory in Azure')).toBeTruthy();
  await waitFor(async () => expect(document.activeElement).toBe(await field(/tenant/)));
  saveAzure.mockRejectedValueOnce(refused('method-away'));
  await press('Save');
  expect(await screen.findByText(/does not answer/)).toBeTruthy();
  expect((await field(/client/)).value).toBe(ids.clientId);
  await press('Save');
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce());
});

it('removes the configuration after confirmation', async () => {
  const { removeAzure, onClose } = await open(async () => ids);
  await field(/client/);
  await press('Remove');
  expect(removeAzure).not.toHaveBeenCalled();
  await press('Keep');
  await press('Remove');
  await press('Remove Azure AD');
  await waitFor(() => expect(removeAzure).toHaveBeenCalledOnce());
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce());
});

it('reports that the settings failed to load, and retries', async () => {
  const read = vi.fn<() => Promise<Ids | null>>().mockRejectedValueOnce(refused('internal')).mockResolvedValue(ids);
  await open(read);
  await userEvent.click(await screen.findByRole('button', { name: 'Try again' }));
  expect((await field(/client/)).value).toBe(ids.clientId);
});

it('shows the redirect URI and copies it', async () => {
  const user = userEvent.setup();
  await open(async () => null);
  const address = await field(/Redirect/);
  expect(address.value).toBe(`${window.location.origin}/connect/upstream/aad`);
  expect(address.readOnly).toBe(true);
  await user.click(screen.getByRole('button', { name: 'Copy' }));
  expect(await screen.findByRole('button', { name: 'Copied' })).toBeTruthy();
  expect(await navigator.clipboard.readText()).toBe(address.value);
});
