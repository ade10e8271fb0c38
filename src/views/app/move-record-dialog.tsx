import type { Patient } from '../../../contract/patients.ts';
import { type MoveRequest, recordOf, useRecordText } from '../edit/record-of-request.ts';
import { MoveDialog } from '../merge/move-dialog.tsx';
import type { Gone } from './edit-requests.ts';

interface MoveRecordDialogProps {
  readonly request: MoveRequest;
  readonly patient: Patient;
  readonly onClose: () => void;
  /** Called with the records that no longer belong to the patient. */
  readonly onGone: (gone: Gone) => void;
}

/** Dialog that moves a study, series or image to another patient. */
export const MoveRecordDialog = ({ request, patient, onClose, onGone }: MoveRecordDialogProps) => {
  const { what, id, gone } = recordOf(request);
  const { name } = useRecordText(request);
  if (what === 'viewset') return null;
  return (
    <MoveDialog
      record={{ what, id, name, patientFromId: patient.id, customerId: patient.customerId }}
      from={patient}
      onClose={onClose}
      onMoved={() => onGone(gone)}
    />
  );
};
