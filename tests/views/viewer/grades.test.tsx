import { Notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { useState } from 'react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { createActor } from 'xstate';
import type { GradeVersion } from '../../../contract/grades.ts';
import type { ImageInfo } from '../../../contract/images.ts';
import { ServiceError } from '../../../src/services/failure.ts';
import { type AppQueries, AppQueriesProvider } from '../../../src/views/app/queries-context.tsx';
import { GradeSection } from '../../../src/views/workspace/grades/grade-section.tsx';
import { useGrading } from '../../../src/views/workspace/grades/use-grading.ts';
import { ViewerWorkspace } from '../../../src/views/workspace/viewer/viewer-workspace.tsx';
import { InWorkspace } from '../in-workspace.tsx';
import { idOf } from '../records.ts';
import { show } from '../render.tsx';
import { signedInAs } from '../signed-in-session.ts';
import { stages } from './fake-stage.ts';
import { imageInfo, noHistory, noPriors, plainProps } from './workspace-fixtures.ts';
import { openImages, viewerWithoutSaving } from './workspace-on-stage.tsx';

vi.mock('../../../src/viewer/index.ts', () => import('./viewer-without-gpu.ts'));

const version = (number: number, changes: Partial<GradeVersion>): GradeVersion => ({
  version: number,
  grade: 'A',
  reason: null,
  text: '',
  author: { id: idOf(50), name: 'Maja Lindqvist' },
  savedAt: `2026-03-0${number}T10:12:00.000Z`,
  ...changes,
});

/** Shows one image with its grades, in an archive that checks versions as the server does. */
const openImage = async (
  first: readonly GradeVersion[] = [],
  changes: Partial<ImageInfo> = {},
  permission?: string[],
) => {
  const session = await signedInAs('Doctor', permission ? { permission } : {});
  const viewer = createActor(viewerWithoutSaving).start();
  const archive = { versions: [...first] };
  const save = vi.fn(async (body: Parameters<AppQueries['saveGrade']>[0]): Promise<GradeVersion> => {
    if (body.version !== (archive.versions[0]?.version ?? 0))
      throw new ServiceError({ kind: 'refused', status: 409, code: 'conflict', errors: [] });
    const { grade } = body;
    const saved = version(body.version + 1, {
      grade,
      reason: 'reason' in body ? body.reason : null,
      text: 'text' in body ? body.text : '',
    });
    archive.versions.unshift(saved);
    return saved;
  });
  const Page = () => {
    const client = useQueryClient();
    const [, render] = useState(0);
    const saveGrade: AppQueries['saveGrade'] = async (body) => {
      const saved = await save(body);
      client.setQueryData(['grade', body.id], { versions: [...archive.versions] });
      render((count) => count + 1);
      return saved;
    };
    const grades: AppQueries['grades'] = (id) => ({
      queryKey: ['grade', id],
      queryFn: async () => ({ versions: [...archive.versions] }),
    });
    const [newest] = archive.versions;
    const image = imageInfo(1, { grade: newest ?? null, ...changes });
    return (
      <AppQueriesProvider value={{ grades, saveGrade } as AppQueries}>
        <Notifications />
        <InWorkspace viewer={viewer} session={session} openImages={openImages}>
          <Viewer image={image} />
        </InWorkspace>
      </AppQueriesProvider>
    );
  };
  await show(<Page />);
  await act(async () => {});
  return { archive, save, viewer };
};

const Viewer = ({ image }: { readonly image: ImageInfo }) => {
  const grading = useGrading(image);
  return (
    <ViewerWorkspace
      {...plainProps}
      content={{ kind: 'image', shown: { image, item: null, viewsetId: null } }}
      activeUid={image.uid}
      navigation={{ ...noHistory, open: vi.fn(), step: vi.fn(), compare: null, prior: noPriors, back: null }}
      onChoose={vi.fn()}
      grading={
        grading && {
          accept: () => void grading.grade({ grade: 'A' }),
          body: <GradeSection key={grading.imageUid} grading={grading} />,
        }
      }
    />
  );
};

const section = () => {
  const found = document.querySelector<HTMLElement>('[data-grade]');
  if (!found) throw new Error('no quality grade');
  return within(found);
};
const press = (name: string) => act(async () => void fireEvent.click(section().getByRole('button', { name })));
const key = (init: object) => act(async () => void fireEvent.keyDown(document.body, init));
const status = () => section().getByRole('status').textContent;

// jsdom has no font loading API.
Object.defineProperty(document, 'fonts', { value: new EventTarget(), configurable: true });

beforeEach(() => {
  stages.length = 0;
  localStorage.clear();
});

describe('the quality grade of an image', () => {
  it.each([
    ['its button', () => press('Acceptable')],
    ['Shift + O', () => key({ key: 'O', shiftKey: true })],
  ])('is set to acceptable by %s, and undone by Ctrl + Z', async (_, accept) => {
    const { archive, save } = await openImage();
    expect(status()).toBe('Not graded');
    await accept();
    expect(save.mock.calls).toEqual([[{ id: idOf(1), version: 0, grade: 'A' }]]);
    expect(status()).toMatch(/^AcceptableMaja Lindqvist2026-03-01 \d\d:12$/);
    await key({ key: 'z', ctrlKey: true });
    expect(save.mock.lastCall).toEqual([{ id: idOf(1), version: 1, grade: null }]);
    expect(status()).toContain('No grade');
    expect(archive.versions).toHaveLength(2);
  });

  it.each([
    ['its button', async () => {}],
    ['Shift + U and Enter', () => key({ key: 'U', shiftKey: true })],
  ])('is set to not acceptable with a reason by %s', async (way, prepare) => {
    const { save } = await openImage();
    await prepare();
    const position = section().getByRole('button', { name: 'Position' });
    if (way !== 'its button') expect(document.activeElement).toBe(position);
    await press('Position');
    expect(save.mock.calls).toEqual([[{ id: idOf(1), version: 0, grade: 'N', reason: 'position' }]]);
    expect(status()).toContain('Not acceptablePosition');
    expect(position.getAttribute('aria-pressed')).toBe('true');
    await waitFor(() => expect(screen.getAllByText('Not acceptable: Position').length).toBe(2));
  });

  it('takes another reason in words', async () => {
    const { save } = await openImage();
    await press('Other');
    const field = section().getByRole('textbox', { name: 'What is wrong with the image' });
    expect(section().getByRole<HTMLButtonElement>('button', { name: 'Save' }).disabled).toBe(true);
    await act(async () => void fireEvent.change(field, { target: { value: ' Scratched plate ' } }));
    await press('Save');
    expect(save.mock.calls).toEqual([
      [{ id: idOf(1), version: 0, grade: 'N', reason: 'other', text: 'Scratched plate' }],
    ]);
    expect(status()).toContain('Not acceptableScratched plate');
  });

  it('keeps the typed reason when it could not be saved', async () => {
    const { archive, save } = await openImage();
    archive.versions.unshift(version(1, {}));
    await press('Other');
    const field = section().getByRole<HTMLInputElement>('textbox');
    await act(async () => void fireEvent.change(field, { target: { value: 'Scratched plate' } }));
    await press('Save');
    expect(save).toHaveBeenCalledOnce();
    expect(field.isConnected && field.value).toBe('Scratched plate');
  });

  it('can be set again, and the earlier ones stay readable', async () => {
    const { save } = await openImage([version(1, { grade: 'N', reason: 'movement' })]);
    await waitFor(() => expect(status()).toContain('Not acceptableMovement'));
    await press('Acceptable');
    expect(save.mock.lastCall).toEqual([{ id: idOf(1), version: 1, grade: 'A' }]);
    expect(section().getByText('1 earlier grade')).toBeTruthy();
    await press('Undo grade');
    expect(save.mock.lastCall).toEqual([{ id: idOf(1), version: 2, grade: 'N', reason: 'movement' }]);
  });

  it('of a colleague, graded meanwhile, is not overwritten', async () => {
    const { archive, save } = await openImage();
    archive.versions.unshift(version(1, { grade: 'N', reason: 'exposure' }));
    await press('Acceptable');
    expect(save).toHaveBeenCalledOnce();
    expect(archive.versions).toHaveLength(1);
    await screen.findByText(/Another user has graded the image meanwhile/);
  });

  it('leaves Ctrl + Z to a later change of the image', async () => {
    const { save, viewer } = await openImage();
    await press('Acceptable');
    const { context } = viewer.getSnapshot();
    const changed = {
      ...viewer.getSnapshot(),
      context: { ...context, workspace: { ...context.workspace, change: 99 } },
    };
    vi.spyOn(viewer, 'getSnapshot').mockReturnValue(changed);
    await key({ key: 'z', ctrlKey: true });
    expect(save).toHaveBeenCalledOnce();
  });

  it.each([
    ['a photograph', { seriesModalityValue: 'XC' }, undefined],
    ['a slice', { seriesModalityValue: 'CT' }, undefined],
    ['a user who may not open images', {}, ['disable.open']],
  ] as const)('is absent for %s, and its key does nothing', async (_, changes, permission) => {
    const { save } = await openImage([], changes, permission && [...permission]);
    expect(document.querySelector('[data-grade]')).toBeNull();
    await key({ key: 'O', shiftKey: true });
    await key({ key: 'U', shiftKey: true });
    expect(save).not.toHaveBeenCalled();
  });
});
