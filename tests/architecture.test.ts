import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { filesBelow, importsOf } from './imports-of.ts';

const root = path.dirname(import.meta.dirname);
const rooms = ['contract', 'dicom', 'server', 'src', 'stand-ins'].filter((folder) =>
  existsSync(path.join(root, folder)),
);
const files = rooms.flatMap((folder) => filesBelow(root, folder));
const imports = files.flatMap((file) => importsOf(root, file));

type Room =
  | 'contract'
  | 'dicom'
  | 'services'
  | 'machines'
  | 'viewer'
  | 'views'
  | 'server'
  | 'stand-ins'
  | 'inspect'
  | 'wiring';

const roomOf = (file: string): Room | null => {
  if (/^src\/(main\.ts|wiring\.ts|wiring\/[a-z-]+\.tsx?)$/.test(file)) return 'wiring';
  const inside = /^src\/(services|machines|viewer|views|inspect)\//.exec(file)?.[1];
  if (inside) return inside as Room;
  const top = file.split('/')[0];
  return top === 'contract' || top === 'dicom' || top === 'server' || top === 'stand-ins' ? top : null;
};

const isViews = (name: string) =>
  /^(react|react-dom|wouter|i18next|react-i18next|dayjs|zod|qr)$|^@(mantine|tabler|tanstack|xstate|fontsource-variable)\//.test(
    name,
  );

/** Which packages a room may use. */
const packages: Record<Room, (name: string) => boolean> = {
  contract: (name) => name === 'zod',
  dicom: (name) => name === 'pako',
  services: (name) =>
    ['ky', 'zod', 'oidc-client-ts', '@microsoft/signalr', '@tanstack/query-core', 'idb'].includes(name),
  machines: (name) => name === 'xstate',
  viewer: (name) => /^(pixi\.js|comlink|vite|@cornerstonejs\/.+|@cs-.+)$/.test(name),
  views: isViews,
  server: () => true,
  'stand-ins': () => true,
  inspect: (name) => name === 'xstate',
  wiring: () => true,
};

/** Which rooms a room may enter, and by which door. */
const doors: Record<Room, (target: string, room: Room | null) => boolean> = {
  contract: (_, room) => room === 'contract',
  dicom: (_, room) => room === 'dicom',
  services: (_, room) => room === 'services' || room === 'contract',
  machines: (target, room) => room === 'machines' || room === 'contract' || target === 'src/services/failure.ts',
  viewer: (_, room) => room === 'viewer' || room === 'dicom' || room === 'contract',
  views: (target, room) =>
    room === 'views' ||
    room === 'machines' ||
    room === 'contract' ||
    target === 'src/services/queries.ts' ||
    target === 'src/viewer/index.ts' ||
    target.startsWith('locales/'),
  // Letters and extracts are written in the words of the pages.
  server: (target, room) =>
    ['server', 'contract', 'dicom'].includes(room ?? '') || target === 'package.json' || target.startsWith('locales/'),
  // Other people's servers: of ours they know what the demo clinic's people are called.
  'stand-ins': (target, room) => room === 'stand-ins' || room === 'contract' || target.startsWith('server/demo/'),
  // Development's window on the actors: it knows what XState tells, and nobody but wiring/start.ts knows it.
  inspect: (_, room) => room === 'inspect',
  wiring: () => true,
};

/** A folder of views that others may use: pieces without knowledge, the look, the words, and forms that several rooms fill in. */
const isSharedView = (target: string) => /^src\/views\/(parts|theme|language|forms)\//.test(target);
const viewFolder = (file: string) => /^src\/views\/([^/]+)\//.exec(file)?.[1] ?? null;

describe('the house', () => {
  it('is entered only by its doors', () => {
    const trespasses = imports.filter(({ from, to, own }) => {
      const room = roomOf(from);
      if (!room) return false;
      return own ? !doors[room](to, roomOf(to)) : !packages[room](to);
    });
    expect(trespasses.map(({ from, to }) => `${from} -> ${to}`)).toEqual([]);
  });

  it('has views that do not know their neighbours', () => {
    const trespasses = imports.filter(({ from, to, own }) => {
      const [here, there] = [viewFolder(from), viewFolder(to)];
      return own && here && there && here !== there && !isSharedView(to);
    });
    expect(trespasses.map(({ from, to }) => `${from} -> ${to}`)).toEqual([]);
  });

  it('imports only files that exist', () => {
    const missing = imports.filter(({ to, own }) => own && !existsSync(path.join(root, to)));
    expect(missing.map(({ from, to }) => `${from} -> ${to}`)).toEqual([]);
  });

  it('has no barrels but the viewer’s door', () => {
    expect(files.filter((file) => /\/index\.tsx?$/.test(file) && file !== 'src/viewer/index.ts')).toEqual([]);
  });

  it('has no cycles', () => {
    const graph = new Map(
      files.map((file) => [
        file,
        importsOf(root, file)
          .filter(({ own }) => own)
          .map(({ to }) => to),
      ]),
    );
    const settled = new Set<string>();
    const visit = (file: string, trail: readonly string[]): string | null => {
      if (trail.includes(file)) return [...trail.slice(trail.indexOf(file)), file].join(' -> ');
      if (settled.has(file)) return null;
      for (const next of graph.get(file) ?? []) {
        const found = visit(next, [...trail, file]);
        if (found) return found;
      }
      settled.add(file);
      return null;
    };
    expect(files.map((file) => visit(file, [])).filter(Boolean)).toEqual([]);
  });

  it('keeps files short', () => {
    const long = files.filter((file) => readFileSync(path.join(root, file), 'utf8').split('\n').length > 301);
    expect(long).toEqual([]);
  });

  it('calls no file and no folder by a name that says nothing', () => {
    expect(files.filter((file) => /(^|\/)(common|shared|utils?|helpers?|managers?)(\/|\.)/.test(file))).toEqual([]);
  });
});
