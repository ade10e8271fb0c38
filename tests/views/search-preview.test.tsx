import { useQueryClient } from '@tanstack/react-query';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { type ReactNode, useState } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { defaultClaims } from '../../contract/claims.ts';
import type { GalleryImage } from '../../contract/gallery.ts';
import type { Call } from '../../src/services/call.ts';
import { ServiceError } from '../../src/services/failure.ts';
import { createGallery, type Gallery } from '../../src/services/gallery.ts';
import { type AppContext, AppContextProvider } from '../../src/views/app/app-context.tsx';
import { type AppQueries, AppQueriesProvider } from '../../src/views/app/queries-context.tsx';
import type { PreviewSubject } from '../../src/views/search/preview-subject.ts';
import { SearchPage } from '../../src/views/search/search-page.tsx';
import { WithPreview } from '../../src/views/search/with-preview.tsx';
import { galleryImage } from '../gallery-images.ts';
import { patient } from './edit/edit-fixture.tsx';
import { idOf } from './records.ts';
import { WithRecords } from './records-of.tsx';
import { show } from './render.tsx';
import { signedInAs } from './signed-in-session.ts';

const clinicId = idOf(2);
const [anna, olle, eva] = [idOf(11), idOf(12), idOf(13)];
const rows = [anna, olle, eva].map((id) => ({ id }));
const names: Readonly<Record<string, string>> = { [anna]: 'Anna Lind', [olle]: 'Olle Berg', [eva]: 'Eva Sund' };
const subjectOf = ({ id }: { id: string }): PreviewSubject => ({
  of: { patientId: id },
  name: names[id] ?? '',
  detail: '198504232384',
  awaited: 6,
});

interface Request {
  readonly patientId: string;
  readonly signal: AbortSignal;
}
type Answer = (requests: Request) => unknown;

const found = (...images: readonly GalleryImage[]) => ({
  data: images,
  totalCount: images.length,
  isTotalExact: true,
  next: null,
  facets: { modalities: ['IO'] },
});
/** Each patient has one image named after them. */
const oneImage: Answer = ({ patientId }) =>
  found(galleryImage(1, { uid: patientId, name: `Bitewing of ${names[patientId]}` }));

interface Options {
  readonly answer?: Answer;
  readonly subject?: (row: { id: string }) => PreviewSubject;
  /** Resolves the lazy service; may reject. */
  readonly load?: (gallery: Gallery) => Promise<Gallery>;
}

/** Renders a list of three patients; requested thumbnails never load. */
const open = async ({ answer = oneImage, subject = subjectOf, load = async (gallery) => gallery }: Options = {}) => {
  const requests: (Request & { readonly body: unknown })[] = [];
  const call = async (_: unknown, { body, signal }: { body: { patientId: string }; signal: AbortSignal }) => {
    const one = { body, patientId: body.patientId, signal };
    requests.push(one);
    return answer(one);
  };
  const World = ({ children }: { readonly children: ReactNode }) => {
    const client = useQueryClient();
    const [appContext] = useState(() => {
      const gallery = createGallery('', call as unknown as Call, client, async (attempt) => attempt('token'));
      return { gallery: () => load(gallery) } as unknown as AppContext;
    });
    return <AppContextProvider value={appContext}>{children}</AppContextProvider>;
  };
  await show(
    <World>
      <WithPreview clinicId={clinicId} rows={rows} subjectOf={subject}>
        <table>
          <tbody>
            {rows.map(({ id }, index) => (
              <tr key={id} data-index={index} tabIndex={-1}>
                <td>{names[id]}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </WithPreview>
    </World>,
  );
  return { requests, toListRequest: () => requests.map(({ patientId }) => patientId) };
};

const row = (id: string) => screen.getByRole('row', { name: names[id] ?? '' });
let steps = 0;
const pointAt = (id: string, pointerType = 'mouse') => {
  steps += 1;
  fireEvent.pointerMove(within(row(id)).getByRole('cell'), { pointerType, screenX: steps, screenY: steps });
};
const panel = () => within(screen.getByRole('region', { name: 'Newest images' }));
const pictureOf = (id: string) => panel().findByRole('img', { name: `Bitewing of ${names[id]}` });
const hint = () => panel().queryByText('Point to a row to see its newest images');

vi.setConfig({ testTimeout: 60_000 });
beforeEach(() => {
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(1200);
});
afterEach(() => {
  vi.restoreAllMocks();
});

describe('the image preview of a list', () => {
  it('shows the hovered row; rows that the pointer only crosses request nothing', async () => {
    const { requests, toListRequest } = await open();
    expect(hint()).not.toBeNull();
    for (const id of [anna, olle, eva]) pointAt(id);
    await pictureOf(eva);
    expect(toListRequest()).toEqual([eva]);
    expect(requests[0]?.body).toEqual({
      customerId: clinicId,
      patientId: eva,
      sort: 'date',
      order: 'desc',
      ppage: 6,
      page: 1,
    });
    expect(panel().getByText('Eva Sund')).toBeTruthy();
    expect(panel().getByRole('listitem').textContent).toBe('2026-03-12');
    expect(hint()).toBeNull();
  });

  it('shows the row selected by keyboard, even with the pointer still on another', async () => {
    const { toListRequest } = await open();
    pointAt(anna);
    await pictureOf(anna);
    row(olle).focus();
    // The rows move under the pointer.
    fireEvent.pointerOver(within(row(eva)).getByRole('cell'), { pointerType: 'mouse' });
    await pictureOf(olle);
    expect(toListRequest()).toEqual([anna, olle]);
    fireEvent.pointerOver(within(row(eva)).getByRole('cell'), { pointerType: 'mouse' });
    pointAt(eva);
    await pictureOf(eva);
  });

  it('ignores touch, and a page that appears under the pointer', async () => {
    const { toListRequest } = await open();
    fireEvent.pointerOver(within(row(anna)).getByRole('cell'), { pointerType: 'mouse' });
    pointAt(olle, 'touch');
    pointAt(eva);
    await pictureOf(eva);
    expect(toListRequest()).toEqual([eva]);
  });

  it('requests nothing without space for it', async () => {
    const width = vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(0);
    const { toListRequest } = await open();
    pointAt(anna);
    width.mockReturnValue(1200);
    pointAt(olle);
    await pictureOf(olle);
    expect(toListRequest()).toEqual([olle]);
  });

  it('ignores late replies for a row that was left', async () => {
    let late = () => {};
    const { requests } = await open({
      answer: (one) =>
        one.patientId === anna
          ? new Promise((done) => {
              late = () => done(oneImage(one));
            })
          : oneImage(one),
    });
    pointAt(anna);
    await waitFor(() => expect(requests).toHaveLength(1));
    pointAt(olle);
    // Cancelled from then on.
    await waitFor(() => expect(requests[0]?.signal.aborted).toBe(true));
    late();
    await pictureOf(olle);
    expect(panel().queryByRole('img', { name: 'Bitewing of Anna Lind' })).toBeNull();
    expect(panel().queryByText('Anna Lind')).toBeNull();
  });

  it('shows a revisited row at once, and cancels loading in between', async () => {
    const { toListRequest } = await open();
    pointAt(anna);
    const picture = await pictureOf(anna);
    expect(picture.getAttribute('src')).toContain('/resource/thumbnail');
    fireEvent.pointerLeave(row(anna).closest('table')?.parentElement as Element);
    await waitFor(() => expect(picture.getAttribute('src')).toBeNull());
    pointAt(anna);
    await waitFor(() => expect(picture.getAttribute('src')).not.toBeNull());
    pointAt(olle);
    await pictureOf(olle);
    pointAt(anna);
    await pictureOf(anna);
    expect(toListRequest()).toEqual([anna, olle]);
  });

  it('stays while the pointer is over it', async () => {
    await open();
    pointAt(anna);
    const picture = await pictureOf(anna);
    fireEvent.pointerMove(picture, { pointerType: 'mouse', screenX: 0, screenY: 0 });
    expect(picture.getAttribute('src')).not.toBeNull();
  });

  it('shows an empty state, and requests nothing when the count is known to be 0', async () => {
    const { toListRequest } = await open({
      answer: () => found(),
      subject: (one) => ({ ...subjectOf(one), awaited: one.id === anna ? 0 : 6 }),
    });
    pointAt(anna);
    expect(await panel().findByText('No images yet')).toBeTruthy();
    expect(toListRequest()).toEqual([]);
    pointAt(olle);
    await panel().findByText('Olle Berg');
    expect(await panel().findByText('No images yet')).toBeTruthy();
    expect(toListRequest()).toEqual([olle]);
  });

  it('shows the count when there are more images', async () => {
    await open({ answer: (one) => ({ ...(oneImage(one) as object), totalCount: 24 }) });
    pointAt(anna);
    expect(await panel().findByText('24 images')).toBeTruthy();
  });

  it('shows a failure without affecting the next row', async () => {
    await open({
      answer: (one) => {
        if (one.patientId !== anna) return oneImage(one);
        throw new ServiceError({ kind: 'refused', status: 404, code: 'not-found', errors: [] });
      },
    });
    pointAt(anna);
    expect(await panel().findByText('The images could not be loaded')).toBeTruthy();
    expect(screen.queryByRole('alert')).toBeNull();
    pointAt(olle);
    await pictureOf(olle);
  });

  it('is omitted while its code fails to load, and retries', async () => {
    let fails = true;
    const load = vi.fn(async (gallery: Gallery) => {
      if (fails) throw new ServiceError({ kind: 'offline' });
      return gallery;
    });
    await open({ load });
    pointAt(anna);
    await waitFor(() => expect(load).toHaveBeenCalledTimes(1));
    fails = false;
    await waitFor(() => {
      pointAt(olle);
      pointAt(eva);
      expect(load).toHaveBeenCalledTimes(2);
    });
    await pictureOf(eva);
  });
});

describe('the search page', () => {
  const openPage = async (permission: readonly string[]) => {
    window.history.replaceState(null, '', '/');
    const patients = (requests: object) => ({
      queryKey: ['patients', requests],
      queryFn: async () => ({ data: [patient()], similar: [], totalCount: 1, isTotalExact: true, next: null }),
    });
    const session = await signedInAs('Doctor', { clinic: { id: clinicId, name: 'Ljungheden' }, permission });
    await show(
      <AppQueriesProvider value={{ patients } as unknown as AppQueries}>
        <WithRecords call={(async () => ({})) as unknown as Call}>
          <SearchPage
            session={session}
            clinicId={clinicId}
            canAdd={true}
            resumesNew={false}
            renderNew={() => null}
            renderMerge={() => null}
          />
        </WithRecords>
      </AppQueriesProvider>,
    );
    await screen.findByRole('row', { name: /Lind, Anna/ });
  };

  it('reserves space for the preview', async () => {
    await openPage(defaultClaims.Doctor);
    expect(screen.getByRole('region', { name: 'Newest images' })).toBeTruthy();
  });

  it('has no preview for users who cannot open images', async () => {
    await openPage([...defaultClaims.Doctor, 'disable.open']);
    expect(screen.queryByRole('region', { name: 'Newest images' })).toBeNull();
  });
});
