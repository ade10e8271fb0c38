import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, it, vi } from 'vitest';
import { ServiceError } from '../../src/services/failure.ts';
import { AboutDialog } from '../../src/views/about/about-dialog.tsx';
import { licencesOf } from '../../vite-licences.ts';
import { anArchive, WithAdministration } from './administration-of.tsx';
import { show } from './render.tsx';

const versions = { adminVersion: '1.2.3', gitCommitNumber: 'abc1234', dataLibraryVersion: '4.5.6' };
const patience = { timeout: 20_000 };

const open = async (answer: () => unknown) => {
  const { call } = anArchive(answer);
  await show(
    <WithAdministration call={call}>
      <AboutDialog onClose={() => {}} />
    </WithAdministration>,
  );
};
afterEach(() => vi.unstubAllGlobals());

it('says which edition this is', async () => {
  await open(() => versions);
  for (const version of Object.values(versions)) expect(await screen.findByText(version, {}, patience)).toBeTruthy();
});

it('says that the data library is away, and asks again', async () => {
  let tries = 0;
  await open(() => {
    tries += 1;
    if (tries === 1) throw new ServiceError({ kind: 'refused', status: 500, code: 'internal', errors: [] });
    return versions;
  });
  expect(await screen.findByText('The data library cannot be loaded or is not found', {}, patience)).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByText('1.2.3', {}, patience)).toBeTruthy();
});

it('fetches the licences when they are wanted, and finds one among them', async () => {
  const asked: string[] = [];
  vi.stubGlobal('fetch', async (request: Request | string) => {
    asked.push(new URL(typeof request === 'string' ? request : request.url, 'http://localhost').pathname);
    const packages = ['react', 'wouter'].map((name) => ({ name, version: '1.0.0', licence: 'MIT', text: 0 }));
    return Response.json({ packages, texts: ['Permission is hereby granted'] });
  });
  await open(() => versions);
  expect(asked).toEqual([]);
  await userEvent.click(await screen.findByRole('button', { name: 'Show the licences' }, patience));
  expect(await screen.findByText('react', {}, patience)).toBeTruthy();
  expect(asked).toEqual(['/licences.json']);
  await userEvent.type(screen.getByRole('textbox', { name: 'Search packages' }), 'wout');
  await waitFor(() => expect(screen.queryByText('react')).toBeNull(), patience);
  expect(screen.getByText('wouter')).toBeTruthy();
});

it('collects the licences of what the browser and the server are made of', () => {
  const { packages, texts } = licencesOf(process.cwd());
  const names = packages.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(['react', 'fastify', 'pixi.js', 'kysely']));
  expect(names).toEqual([...names].sort((one, other) => one.localeCompare(other, 'en')));
  // What is there for tests and builds alone is not shipped.
  expect(names).not.toContain('vitest');
  const react = packages.find(({ name }) => name === 'react');
  expect(texts[react?.text ?? -1]).toMatch(/Meta Platforms|Facebook/);
});
