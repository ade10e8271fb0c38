import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { allTeeth } from '../../contract/teeth.ts';
import { readDicomFile } from '../../dicom/file.ts';
import { readProtocol } from '../../dicom/hanging-protocol/read-protocol.ts';
import { teethOfCodes } from '../../dicom/teeth.ts';
import { toothCode } from '../../dicom/tooth-code.ts';
import { TRANSFER_SYNTAX } from '../../dicom/write/transfer-syntax.ts';
import { writeDicom } from '../../dicom/write/write-dicom.ts';
import { standardTemplates } from '../../server/domain/standard-templates.ts';
import { plainProtocol, protocolBytes } from './written-protocol.ts';

const run = promisify(execFile);
const read = (bytes: Uint8Array) => readProtocol(readDicomFile(bytes).dataSet);

/** A protocol of another program: two screens side by side, two groups, an earlier study and a filter. */
const foreign = (): Uint8Array =>
  writeDicom(
    {
      SOPClassUID: '1.2.840.10008.5.1.4.38.1',
      SOPInstanceUID: '2.25.92',
      HangingProtocolName: 'Dental',
      HangingProtocolDescription: 'Two screens',
      HangingProtocolDefinitionSequence: [{ Modality: 'PX' }],
      NumberOfPriorsReferenced: 1,
      ImageSetsSequence: [
        {
          ImageSetSelectorSequence: [
            { SelectorAttribute: 0x00080060, SelectorAttributeVR: 'CS', SelectorCSValue: 'PX' },
            { SelectorAttribute: 0x00180015, SelectorAttributeVR: 'CS', SelectorCSValue: 'JAW' },
          ],
          TimeBasedImageSetsSequence: [{ ImageSetNumber: 7, ImageSetLabel: '11 21' }],
        },
      ],
      NumberOfScreens: 2,
      NominalScreenDefinitionSequence: [
        {
          NumberOfVerticalPixels: 1000,
          NumberOfHorizontalPixels: 800,
          DisplayEnvironmentSpatialPosition: [0, 1, 0.5, 0],
        },
      ],
      DisplaySetsSequence: [
        {
          DisplaySetNumber: 2,
          DisplaySetPresentationGroup: 1,
          ImageSetNumber: 7,
          ImageBoxesSequence: [
            { DisplayEnvironmentSpatialPosition: [0, 0.25, 0.5, 0], ImageBoxLayoutType: 'TILED' },
            { DisplayEnvironmentSpatialPosition: [0.5, 0, 0.2, 1] },
          ],
          FilterOperationsSequence: [{ SelectorAttribute: 0x00080060 }],
        },
        {
          DisplaySetNumber: 1,
          DisplaySetPresentationGroup: 1,
          DisplaySetLabel: 'Upper',
          ImageBoxesSequence: [{ DisplayEnvironmentSpatialPosition: [0, 1, 1, 0.25] }],
        },
        { DisplaySetNumber: 3, DisplaySetPresentationGroup: 2, ImageBoxesSequence: [] },
      ],
    },
    { transferSyntax: TRANSFER_SYNTAX.implicitLittle },
  );

describe('a Hanging Protocol', () => {
  it('says places, labels, teeth, modality and size of a template', () => {
    const { slots, modality, size, name, description, notTaken } = read(protocolBytes());
    expect(slots).toEqual(
      plainProtocol.slots.map((slot, index) => ({
        ...slot,
        label: slot.label ?? [null, null, '55 85'][index] ?? null,
      })),
    );
    expect([modality, size, name, description, notTaken]).toEqual([
      'IO',
      { width: 600, height: 400 },
      'Helstatus vuxen',
      'Helstatus vuxen 18 bilder',
      [],
    ]);
  });

  it('has the y axis of its boxes upwards', () => {
    const { dataSet } = readDicomFile(protocolBytes());
    const [first] = dataSet.sequence(0x00720200);
    const [box] = first?.sequence(0x00720300) ?? [];
    expect(box?.numbers(0x00720108, 'FD')).toEqual([0.25, 1, 0.5, 0.5]);
  });

  it('of another program is read in the order of its display sets, and what is no slot is named', () => {
    const { slots, size, modality, notTaken } = read(foreign());
    expect(slots).toEqual([
      { place: { left: 0, top: 0, right: 1, bottom: 0.75 }, label: 'Upper', teeth: [] },
      { place: { left: 0, top: 0.75, right: 0.5, bottom: 1 }, label: '11 21', teeth: [] },
    ]);
    expect([size, modality]).toEqual([{ width: 1600, height: 1000 }, 'PX']);
    expect(notTaken.toSorted()).toEqual(
      ['box-kind', 'box-place', 'filters', 'presentation-groups', 'priors', 'screens', 'selectors'].toSorted(),
    );
  });

  it('names each tooth by a code that is read as the same tooth', () => {
    for (const tooth of allTeeth) {
      const code = toothCode(tooth);
      const bytes = protocolBytes({ slots: [{ ...plainProtocol.slots[0]!, teeth: [tooth] }] });
      expect(read(bytes).slots[0]?.teeth).toEqual([tooth]);
      expect(code.CodeMeaning).toMatch(tooth > 50 ? /^Deciduous ma/ : /^Ma/);
    }
    expect(teethOfCodes([])).toEqual([]);
  });

  it.skipIf(!existsSync('/usr/bin/dciodvfy'))('has no error by dciodvfy, of each standard template', async () => {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'dentarium-protocol-'));
    try {
      for (const { name, modality, width, height, viewSetItems } of standardTemplates) {
        const slots = viewSetItems.map(({ xPos, yPos, description, teeth, ...slot }) => ({
          place: {
            left: xPos / width,
            top: yPos / height,
            right: (xPos + slot.width) / width,
            bottom: (yPos + slot.height) / height,
          },
          label: description,
          teeth,
        }));
        const file = path.join(folder, 'protocol.dcm');
        await writeFile(file, protocolBytes({ name, modality, size: { width, height }, slots }));
        const { stdout, stderr } = await run('/usr/bin/dciodvfy', ['-new', file]);
        expect(`${stdout}${stderr}`.split('\n').filter((line) => /^Error/.test(line))).toEqual([]);
        expect(`${stdout}${stderr}`).toContain('HangingProtocol');
      }
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});
