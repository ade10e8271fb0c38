import { type ImportFile, type ImportStudy, type ImportTask, importSteps } from '../contract/imports.ts';

const someId = '8c2f6a55-4f9c-4f0e-9d0d-2f4f6b1c7d04';

export const anImportFile = (facts: Partial<ImportFile> = {}): ImportFile => ({
  id: '4a2d1d6a-1c89-4cf1-a4b6-6a1e4d1b2e05',
  fileName: 'one.dcm',
  path: 'one.dcm',
  containerId: null,
  sizeBytes: 300,
  status: 'received',
  problem: null,
  detail: null,
  patient: null,
  modality: null,
  studyKey: null,
  thumbLink: null,
  teeth: [],
  acquiredAt: null,
  imageUid: null,
  wasRestored: false,
  ...facts,
});

export const anImportStudy = (facts: Partial<ImportStudy> = {}): ImportStudy => ({
  key: '2.25.1',
  kind: 'dicom',
  description: '',
  studyDate: null,
  modalities: ['IO'],
  filesCount: 1,
  named: null,
  namesSeveral: false,
  candidates: [],
  inArchive: null,
  alreadyHasViewSet: false,
  deletedFiles: 0,
  decision: {
    leftOut: false,
    patientId: null,
    studyUid: null,
    viewSetTemplateUuid: null,
    imagesHashMap: {},
    mismatchConfirmed: false,
  },
  patient: null,
  match: 'unknown',
  obstacles: [],
  viewsetId: null,
  ...facts,
});

export const anImportTask = (
  step: keyof typeof importSteps | ImportTask['step'],
  facts: Partial<ImportTask> = {},
): ImportTask => ({
  id: someId,
  kind: 'dicom',
  name: 'one.dcm',
  patientId: someId,
  customerId: someId,
  source: null,
  step: typeof step === 'number' ? step : importSteps[step],
  percent: 0,
  error: false,
  totalFilesCount: 2,
  files: [],
  studies: [],
  dicomSystemName: someId,
  createdAt: '2026-01-01T00:00:00.000Z',
  ...facts,
});
