import { describe, expect, it, test } from 'vitest';
import { exposureOf, irradiationEventOf, notStatedExposure } from '../../dicom/exposure.ts';
import { readDicomFile } from '../../dicom/file.ts';
import type { DataSet } from '../../dicom/write/data-set.ts';
import { smallObject } from '../server/small-object.ts';

const read = (elements: DataSet) => readDicomFile(smallObject(elements)).dataSet;

describe('what a file states about the exposure', () => {
  it('is read with the units of the archive', () => {
    const stated = read({
      KVP: 65,
      XRayTubeCurrent: 7,
      ExposureTime: 125,
      ImageAndFluoroscopyAreaDoseProduct: '0.05',
      EntranceDoseInmGy: '1.2',
      ExposureIndex: '410',
      TargetExposureIndex: '400',
      DeviationIndex: '-0.3',
    });
    expect(exposureOf(stated)).toEqual({
      tubeVoltageKv: 65,
      tubeCurrentMa: 7,
      exposureTimeMs: 125,
      areaDoseMgyCm2: 5,
      entranceDoseMgy: 1.2,
      exposureIndex: 410,
      targetExposureIndex: 400,
      deviationIndex: -0.3,
    });
  });

  it('is null where the file has no element, an empty one or no number', () => {
    expect(exposureOf(read({}))).toEqual(notStatedExposure);
    const empty = read({ KVP: null, ImageAndFluoroscopyAreaDoseProduct: null, XRayTubeCurrent: null });
    expect(exposureOf(empty)).toEqual(notStatedExposure);
  });

  test.each([
    ['0.05', 5],
    ['0.07', 7],
    ['0.29', 29],
    ['1.005', 100.5],
    ['2.3E-3', 0.23],
    ['0', 0],
  ])('a dose area product of %s dGy*cm2 is %d mGy*cm2', (text, expected) => {
    expect(exposureOf(read({ ImageAndFluoroscopyAreaDoseProduct: text })).areaDoseMgyCm2).toBe(expected);
  });

  it('takes the exact tube current in microampere before that in whole milliampere', () => {
    expect(exposureOf(read({ XRayTubeCurrent: 6, XRayTubeCurrentInuA: '6300' })).tubeCurrentMa).toBe(6.3);
    expect(exposureOf(read({ XRayTubeCurrentInuA: '6300' })).tubeCurrentMa).toBe(6.3);
  });

  it('names the irradiation event, or all of an image made of several', () => {
    expect(irradiationEventOf(read({}))).toBeNull();
    expect(irradiationEventOf(read({ IrradiationEventUID: '2.25.9' }))).toBe('2.25.9');
    expect(irradiationEventOf(read({ IrradiationEventUID: ['2.25.9', '2.25.10'] }))).toBe('2.25.9\\2.25.10');
  });
});
