import { afterEach, expect, it, vi } from 'vitest';

afterEach(() => {
  vi.resetModules();
  vi.restoreAllMocks();
});

const late = {
  administration: '../../src/services/administration.ts',
  records: '../../src/services/records.ts',
  gallery: '../../src/services/gallery.ts',
  pictures: '../../src/services/pictures.ts',
  accessLog: '../../src/services/access-log.ts',
} as const;

it.each(Object.entries(late))(
  'a connection loss before %s was loaded is reported as offline, and retried',
  async (name, file) => {
    let isCut = true;
    vi.doMock(file, async (original) => {
      if (isCut) throw new TypeError('Failed to fetch dynamically imported module');
      return original();
    });
    const { createServices } = await import('../../src/wiring/services.ts');
    const load: () => Promise<object> = createServices('http://archive.example')[name as keyof typeof late];
    const failure = await load().then(
      () => null,
      (error: unknown) => (error instanceof Error && 'failure' in error ? error.failure : error),
    );
    expect(failure).toEqual({ kind: 'offline' });
    isCut = false;
    vi.doUnmock(file);
    expect(await load()).toBeTypeOf('object');
  },
);
