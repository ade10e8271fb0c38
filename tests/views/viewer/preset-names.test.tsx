import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { Preset } from '../../../src/views/workspace/viewer/grey-values.ts';
import { usePresetName } from '../../../src/views/workspace/viewer/viewer-texts.ts';
import { show } from '../render.tsx';

const voi = { kind: 'window', centre: 2048, width: 4096, function: 'LINEAR' } as const;
const preset = (id: string, from: Preset['from'], number: number, explanation: string | null = null): Preset => ({
  id,
  from,
  number,
  explanation,
  voi,
});

const Names = ({ presets }: { presets: readonly Preset[] }) => {
  const nameOf = usePresetName();
  return (
    <ul>
      {presets.map((one) => (
        <li key={one.id}>{nameOf(one, presets)}</li>
      ))}
    </ul>
  );
};
const namesOf = async (presets: readonly Preset[]) => {
  await show(<Names presets={presets} />);
  return screen.getAllByRole('listitem').map(({ textContent }) => textContent);
};
const added = [preset('whole', 'whole', 0), preset('auto', 'auto', 0)];

it('names presets by their explanation, else by number', async () => {
  const own = [
    preset('0', 'window', 1),
    preset('1', 'window', 2),
    preset('2', 'window', 3, 'Bone'),
    preset('3', 'lut', 1),
  ];
  expect(await namesOf([...own, ...added])).toEqual([
    'From file',
    'Window 2',
    'Bone',
    'LUT 1 from file',
    'Full range',
    'Auto window',
  ]);
});

it('numbers presets of the file that share a name with each other or with an added one', async () => {
  const own = [preset('0', 'window', 1, 'Bone'), preset('1', 'window', 2, 'Full range'), preset('2', 'lut', 1, 'Bone')];
  expect(await namesOf([...own, ...added])).toEqual([
    'Bone (1)',
    'Full range (2)',
    'Bone (3)',
    'Full range',
    'Auto window',
  ]);
});
