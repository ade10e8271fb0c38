import { useQueryClient } from '@tanstack/react-query';
import { configure, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { type ReactNode, useState } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { defaultClaims } from '../../contract/claims.ts';
import type { GalleryImage } from '../../contract/gallery.ts';
import type { Call } from '../../src/services/call.ts';
import { ServiceError } from '../../src/services/failure.ts';
import { createGallery, type Gallery } from '../../src/services/gallery.ts';
import { type Ground, GroundProvider } from '../../src/views/ground.tsx';
import { type Reading, ReadingProvider } from '../../src/views/reading.tsx';
import type { PreviewSubject } from '../../src/views/search/preview-subject.ts';
import { SearchPage } from '../../src/views/search/search-page.tsx';
import { WithPreview } from '../../src/views/search/with-preview.tsx';
import { idOf, patient } from './edit/writing.tsx';
import { anImage } from './gallery/gallery-of.tsx';
import { WithRecords } from './records-of.tsx';
import { show } from './render.tsx';
import { signedInAs } from './signed-in-session.ts';

const clinicId = idOf(2);
const [anna, olle, eva] = [idOf(11), idOf(12), idOf(13)];
const rows = [anna, olle, eva].map((id) => ({ id }));
const names: Readonly<Record<string, string>> = { [anna]: 'Anna Lind', [olle]: 'Olle Berg', [eva]: 'Eva Sund' };
const subjectOf = ({ id }: { id: string }): PreviewSubject => ({
  of: { patientId: id },
  ...{ name: names[id] ?? '', detail: '198504232384', awaited: 6 },
});

interface Asked {
  readonly patientId: string;
  readonly signal: AbortSignal;
}
type Answer = (asked: Asked) => unknown;

const found = (...images: readonly GalleryImage[]) => ({
  ...{ data: images, totalCount: images.length, isTotalExact: true, next: null, facets: { modalities: ['IO'] } },
});
/** Each patient has one image, called after them. */
const oneImage: Answer = ({ patientId }) =>
  found(anImage(1, { uid: patientId, name: `Bitewing of ${names[patientId]}` }));

interface Options {
  readonly answer?: Answer;
  readonly subject?: (row: { id: string }) => PreviewSubject;
  /** Brings the service; it may fail. */
  readonly load?: (gallery: Gallery) => Promise<Gallery>;
}

/** A list of three patients; pictures that were asked for are never there. */
const open = async ({ answer = oneImage, subject = subjectOf, load = async (gallery) => gallery }: Options = {}) => {
  const asked: (Asked & { readonly body: unknown })[] = [];
  const call = async (_: unknown, { body, signal }: { body: { patientId: string }; signal: AbortSignal }) => {
    const one = { body, patientId: body.patientId, signal };
    asked.push(one);
    return answer(one);
  };
  const World = ({ children }: { readonly children: ReactNode }) => {
    const client = useQueryClient();
    const [ground] = useState(() => {
      const gallery = createGallery('', call as unknown as Call, client, async (attempt) => attempt('token'));
      return { gallery: () => load(gallery) } as unknown as Ground;
    });
    return <GroundProvider value={ground}>{children}</GroundProvider>;
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
  return { asked, askedFor: () => asked.map(({ patientId }) => patientId) };
};

const row = (id: string) => screen.getByRole('row', { name: names[id] ?? '' });
let steps = 0;
const pointAt = (id: string, pointerType = 'mouse') => {
  steps += 1;
  fireEvent.pointerMove(within(row(id)).getByRole('cell'), { pointerType, screenX: steps, screenY: steps });
};
const panel = () => within(screen.getByRole('region', { name: 'Newest images' }));
const pictureOf = (id: string) => panel().findByRole('img', { name: `Bitewing of ${names[id]}` });
const hint = () => panel().queryByText('Point at a row to see its newest images');

configure({ asyncUtilTimeout: 20_000 });
vi.setConfig({ testTimeout: 60_000 });
beforeEach(() => {
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(1200);
});
afterEach(() => {
  vi.restoreAllMocks();
});

describe('the newest images beside a list', () => {
  it('are those of the row on which the pointer rests; of rows that it passes nothing is asked', async () => {
    const { asked, askedFor } = await open();
    expect(hint()).not.toBeNull();
    for (const id of [anna, olle, eva]) pointAt(id);
    await pictureOf(eva);
    expect(askedFor()).toEqual([eva]);
    expect(asked[0]?.body).toEqual({
      ...{ customerId: clinicId, patientId: eva, sort: 'date', order: 'desc', ppage: 6, page: 1 },
    });
    expect(panel().getByText('Eva Sund')).toBeTruthy();
    expect(panel().getByRole('listitem').textContent).toBe('2026-03-12');
    expect(hint()).toBeNull();
  });

  it('are those of the row that the keys have reached, though the pointer lies still on another', async () => {
    const { askedFor } = await open();
    pointAt(anna);
    await pictureOf(anna);
    row(olle).focus();
    // The rows move below the pointer.
    fireEvent.pointerOver(within(row(eva)).getByRole('cell'), { pointerType: 'mouse' });
    await pictureOf(olle);
    expect(askedFor()).toEqual([anna, olle]);
    fireEvent.pointerOver(within(row(eva)).getByRole('cell'), { pointerType: 'mouse' });
    pointAt(eva);
    await pictureOf(eva);
  });

  it('are asked for neither by a finger nor by a page that comes under the pointer', async () => {
    const { askedFor } = await open();
    fireEvent.pointerOver(within(row(anna)).getByRole('cell'), { pointerType: 'mouse' });
    pointAt(olle, 'touch');
    pointAt(eva);
    await pictureOf(eva);
    expect(askedFor()).toEqual([eva]);
  });

  it('are not asked for where there is no room for them', async () => {
    const width = vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(0);
    const { askedFor } = await open();
    pointAt(anna);
    width.mockReturnValue(1200);
    pointAt(olle);
    await pictureOf(olle);
    expect(askedFor()).toEqual([olle]);
  });

  it('never give way to those of a row that was left, and whose answer came late', async () => {
    let late = () => {};
    const { asked } = await open({
      answer: (one) =>
        one.patientId === anna
          ? new Promise((done) => {
              late = () => done(oneImage(one));
            })
          : oneImage(one),
    });
    pointAt(anna);
    await waitFor(() => expect(asked).toHaveLength(1));
    pointAt(olle);
    // Nobody waits for it from then on.
    await waitFor(() => expect(asked[0]?.signal.aborted).toBe(true));
    late();
    await pictureOf(olle);
    expect(panel().queryByRole('img', { name: 'Bitewing of Anna Lind' })).toBeNull();
    expect(panel().queryByText('Anna Lind')).toBeNull();
  });

  it('are there at once when one comes back, and what has not come is not fetched meanwhile', async () => {
    const { askedFor } = await open();
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
    expect(askedFor()).toEqual([anna, olle]);
  });

  it('stay while the pointer is among them', async () => {
    await open();
    pointAt(anna);
    const picture = await pictureOf(anna);
    fireEvent.pointerMove(picture, { pointerType: 'mouse', screenX: 0, screenY: 0 });
    expect(picture.getAttribute('src')).not.toBeNull();
  });

  it('are said to be none where there are none, and not asked for where that is known', async () => {
    const { askedFor } = await open({
      answer: () => found(),
      subject: (one) => ({ ...subjectOf(one), awaited: one.id === anna ? 0 : 6 }),
    });
    pointAt(anna);
    expect(await panel().findByText('No images yet')).toBeTruthy();
    expect(askedFor()).toEqual([]);
    pointAt(olle);
    await panel().findByText('Olle Berg');
    expect(await panel().findByText('No images yet')).toBeTruthy();
    expect(askedFor()).toEqual([olle]);
  });

  it('are counted where there are more', async () => {
    await open({ answer: (one) => ({ ...(oneImage(one) as object), totalCount: 24 }) });
    pointAt(anna);
    expect(await panel().findByText('24 images')).toBeTruthy();
  });

  it('cannot be had: that is said quietly, and the next row is another matter', async () => {
    await open({
      answer: (one) => {
        if (one.patientId !== anna) return oneImage(one);
        throw new ServiceError({ kind: 'refused', status: 404, code: 'not-found', errors: [] });
      },
    });
    pointAt(anna);
    expect(await panel().findByText('The images cannot be shown right now')).toBeTruthy();
    expect(screen.queryByRole('alert')).toBeNull();
    pointAt(olle);
    await pictureOf(olle);
  });

  it('are left out while their code cannot be fetched, and it is asked for again', async () => {
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
    const patients = (asked: object) => ({
      queryKey: ['patients', asked],
      queryFn: async () => ({ data: [patient()], totalCount: 1, isTotalExact: true, next: null }),
    });
    const session = await signedInAs('Doctor', { clinic: { id: clinicId, name: 'Ljungheden' }, permission });
    await show(
      <ReadingProvider value={{ patients } as unknown as Reading}>
        <WithRecords call={(async () => ({})) as unknown as Call}>
          <SearchPage
            {...{ session, clinicId, mayAdd: true, resumesNew: false }}
            renderNew={() => null}
            renderMerge={() => null}
          />
        </WithRecords>
      </ReadingProvider>,
    );
    await screen.findByRole('row', { name: /Lind, Anna/ });
  };

  it('has a place for them', async () => {
    await openPage(defaultClaims.Doctor);
    expect(screen.getByRole('region', { name: 'Newest images' })).toBeTruthy();
  });

  it('has none for somebody who may not open images', async () => {
    await openPage([...defaultClaims.Doctor, 'disable.open']);
    expect(screen.queryByRole('region', { name: 'Newest images' })).toBeNull();
  });
});
