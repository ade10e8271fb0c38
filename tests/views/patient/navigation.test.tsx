import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { Router } from 'wouter';
import { memoryLocation } from 'wouter/memory-location';
import { parseCompared, parsePrior } from '../../../src/views/workspace/patient/patient-location.ts';
import { useNavigation } from '../../../src/views/workspace/patient/use-navigation.ts';
import { parseHistory } from '../../../src/views/workspace/tooth-history/history-url.ts';
import { image, series, study } from '../edit/edit-fixture.tsx';
import { InWorkspace } from '../in-workspace.tsx';
import { show } from '../render.tsx';
import { noHistoryControl } from '../viewer/workspace-fixtures.ts';

const shown = study({ series: [series([image(1), image(2), image(3)])] });
const [first, second, third] = [image(1).uid, image(2).uid, image(3).uid];

/** A page whose location is its URL; C compares the open image or ends the comparison, as in the viewer. */
const Page = ({ search, deleted }: { search: string; deleted: readonly string[] }) => {
  const params = new URLSearchParams(search);
  const compare = parseCompared(params.get('compare'));
  const prior = parsePrior(params.get('prior'));
  const location = {
    series: null,
    viewsetId: null,
    imageUid: params.get('image'),
    compare,
    prior,
    priorMount: null,
    history: parseHistory(params),
  };
  const hasImage = (uid: string) => !deleted.includes(uid);
  const navigation = useNavigation({
    location,
    viewset: null,
    study: shown,
    hasImage,
    studies: [shown],
    loadStudies: null,
    onSwap: () => undefined,
    history: noHistoryControl,
  });
  const press = () => (compare.length > 0 ? navigation.back?.() : navigation.compare?.(location.imageUid ?? ''));
  return (
    <>
      <button type="button" onClick={press}>
        C
      </button>
      <button type="button" onClick={() => navigation.open(second)}>
        Second
      </button>
    </>
  );
};

const open = async (query: string, deleted: string[] = []) => {
  const { hook, searchHook, history } = memoryLocation({ path: `/patient/p?${query}`, record: true });
  const Located = () => <Page search={searchHook()} deleted={deleted} />;
  await show(
    <Router hook={hook} searchHook={searchHook}>
      <InWorkspace patientId="p">
        <Located />
      </InWorkspace>
    </Router>,
  );
  const press = (name: string) => userEvent.click(screen.getByRole('button', { name }));
  return { press, now: () => history.at(-1)?.split('?')[1] };
};

it('shows the comparison again that was left last', async () => {
  const { press, now } = await open(`compare=${first},${third}`);
  await press('C');
  expect(now()).toBe(`image=${first}`);
  await press('C');
  expect(now()).toBe(`compare=${first},${third}`);
});

it('compares another image with the next one', async () => {
  const { press, now } = await open(`compare=${first},${third}`);
  await press('C');
  await press('Second');
  await press('C');
  expect(now()).toBe(`compare=${second},${third}`);
});

it('compares with the next one when an image of the last comparison was deleted', async () => {
  const deleted: string[] = [];
  const { press, now } = await open(`compare=${first},${third}`, deleted);
  await press('C');
  deleted.push(third);
  await press('C');
  expect(now()).toBe(`compare=${first},${second}`);
});
