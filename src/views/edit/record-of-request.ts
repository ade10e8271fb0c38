import { useTranslation } from 'react-i18next';
import type { EditRequest, Gone } from '../app/edit-requests.ts';
import { useToothText } from '../language/tooth-notation.ts';

export type DeleteRequest = Exclude<Extract<EditRequest, { kind: `delete-${string}` }>, { kind: 'delete-patient' }>;
export type MoveRequest = Extract<EditRequest, { kind: `move-${string}` }>;

const uids = (images: readonly { readonly uid: string }[]) => images.map(({ uid }) => uid);

/** Returns the record of a command and the ids that disappear when it is deleted or moved. */
export const recordOf = (request: DeleteRequest | MoveRequest) => {
  switch (request.kind) {
    case 'delete-study':
    case 'move-study': {
      const { study } = request;
      const gone: Gone = {
        viewsetIds: study.viewsets.map(({ viewSetUuid }) => viewSetUuid),
        seriesUids: [study.uid, ...uids(study.series)],
        imageUids: uids(study.series.flatMap(({ images }) => images)),
      };
      return { what: 'study', id: study.id, gone } as const;
    }
    case 'delete-series':
    case 'move-series': {
      const { id, uid, images } = request.series;
      return { what: 'series', id, gone: { viewsetIds: [], seriesUids: [uid], imageUids: uids(images) } } as const;
    }
    case 'delete-image':
    case 'move-image': {
      const { uid } = request.image;
      return { what: 'image', id: uid, gone: { viewsetIds: [], seriesUids: [], imageUids: [uid] } } as const;
    }
    case 'delete-viewset': {
      const id = request.viewset.viewSetUuid;
      return { what: 'viewset', id, gone: { viewsetIds: [id], seriesUids: [], imageUids: [] } } as const;
    }
  }
};

/** Returns the display name of the record, and texts for what it contains. */
export const useRecordText = (request: DeleteRequest | MoveRequest): { name: string; lines: readonly string[] } => {
  const { t } = useTranslation('edit');
  const toothText = useToothText();
  switch (request.kind) {
    case 'delete-study':
    case 'move-study': {
      const { study } = request;
      const count = study.series.flatMap(({ images }) => images).length;
      const name = [study.studyDate, study.description].filter(Boolean).join(' ') || t('untitledStudy');
      const lines = [t('images', { count }), ...study.viewsets.map((viewset) => t('mount', { name: viewset.name }))];
      return { name, lines };
    }
    case 'delete-series':
    case 'move-series': {
      const { description, modality, images } = request.series;
      return { name: description?.trim() || modality, lines: [t('images', { count: images.length })] };
    }
    case 'delete-image':
    case 'move-image': {
      const { image } = request;
      return { name: toothText(image.teeth) || image.name.trim() || String(image.number ?? image.order), lines: [] };
    }
    case 'delete-viewset': {
      const { name, filledSlots } = request.viewset;
      return { name, lines: [t('imagesStay', { count: filledSlots })] };
    }
  }
};
