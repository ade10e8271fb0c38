import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, it, vi } from 'vitest';
import { ServiceError } from '../../src/services/failure.ts';
import { AboutDialog } from '../../src/views/about/about-dialog.tsx';
import { licencesOf } from '../../vite-licences.ts';
import { anArchive, WithAdministration } from './administration-fixture.tsx';
import { show } from './render.tsx';

const versions = { adminVersion: '1.2.3', gitCommitNumber: 'abc1234', dataLibraryVersion: '4.5.6' };
const timeout = { timeout: 20_000 };

const open = async (answer: () => unknown, onClose = () => {}) => {
  const { call } = anArchive(answer);
  await show(
    <WithAdministration call={call}>
      <AboutDialog onClose={onClose} />
    </WithAdministration>,
  );
};
afterEach(() => {
  vi.unstubAllGlobals();
  history.replaceState(null, '', '/');
});

it('shows the edition', async () => {
  await open(() => versions);
  for (const version of Object.values(versions)) expect(await screen.findByText(version, {}, timeout)).toBeTruthy();
});

it('reports that the licence data failed to load, and retries', async () => {
  let tries = 0;
  await open(() => {
    tries += 1;
    if (tries === 1) throw new ServiceError({ kind: 'refused', status: 500, code: 'internal', errors: [] });
    return versions;
  });
  expect(await screen.findByText('The data library cannot be loaded or is not found', {}, timeout)).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByText('1.2.3', {}, timeout)).toBeTruthy();
});

it('loads the licences on request and filters them', async () => {
  const requests: string[] = [];
  vi.stubGlobal('fetch', async (request: Request | string) => {
    requests.push(new URL(typeof request === 'string' ? request : request.url, 'http://localhost').pathname);
    const packages = ['react', 'wouter'].map((name) => ({ name, version: '1.0.0', licence: 'MIT', text: 0 }));
    return Response.json({ packages, texts: ['Permission is hereby granted'] });
  });
  await open(() => versions);
  expect(requests).toEqual([]);
  await userEvent.click(await screen.findByRole('button', { name: 'Show the licences' }, timeout));
  expect(await screen.findByText('react', {}, timeout)).toBeTruthy();
  expect(requests).toEqual(['/licences.json']);
  await userEvent.type(screen.getByRole('textbox', { name: 'Search packages' }), 'wout');
  await waitFor(() => expect(screen.queryByText('react')).toBeNull(), timeout);
  expect(screen.getByText('wouter')).toBeTruthy();
});

it('links to the API documentation, and closes on the way', async () => {
  const onClose = vi.fn();
  await open(() => versions, onClose);
  await userEvent.click(await screen.findByRole('link', { name: 'API' }, timeout));
  expect(location.pathname).toBe('/docs/api');
  expect(onClose).toHaveBeenCalledOnce();
});

it('collects the licences of browser and server packages', () => {
  const { packages, texts } = licencesOf(process.cwd());
  const names = packages.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(['react', 'fastify', 'pixi.js', 'kysely']));
  expect(names).toEqual([...names].sort((one, other) => one.localeCompare(other, 'en')));
  // Packages used only for tests and builds are not distributed.
  expect(names).not.toContain('vitest');
  const react = packages.find(({ name }) => name === 'react');
  expect(texts[react?.text ?? -1]).toMatch(/Meta Platforms|Facebook/);
});
