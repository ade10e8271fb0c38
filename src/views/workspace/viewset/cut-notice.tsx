import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useImageTransfer } from '../image-transfer.tsx';
import { useImageName } from '../patient/record-menu.tsx';
import classes from './cut-notice.module.css';
import { itemOf } from './mount-actions.ts';
import type { MountController } from './use-mount-controller.ts';

/** Shows the image that was cut, and pastes it into the selected slot. `controller`: null while no mount is shown. */
export const CutNotice = ({ controller }: { controller: MountController | null }) => {
  const { t } = useTranslation(['viewset', 'shell']);
  const { cut, setCut } = useImageTransfer();
  const imageName = useImageName();
  // A dropped image is taken by its mount at once.
  if (!cut || cut.into !== null) return null;
  const selected = controller && itemOf(controller.viewset, controller.slot);
  const isSource =
    cut.source !== null && controller?.viewset.viewSetUuid === cut.source.viewsetId && controller.slot === cut.from;
  return (
    <div className={classes.notice} role="status" data-on-black data-chrome>
      <span className={classes.text}>
        {cut.source
          ? t('cutNotice', { name: imageName(cut.image), mount: cut.source.name })
          : t('cutNoticeList', { name: imageName(cut.image) })}
        {(!selected || isSource) && ` ${t('cutHint')}`}
      </span>
      {selected && !isSource && (
        <Button size="xs" onClick={() => controller.paste({ kind: 'slot', itemIndex: selected.itemIndex })}>
          {t('pasteHere', { number: selected.order })}
        </Button>
      )}
      <Button size="xs" variant="default" onClick={() => setCut(null)}>
        {t('shell:cancel')}
      </Button>
    </div>
  );
};
