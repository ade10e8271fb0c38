import IconCircleCheck from '@tabler/icons-react/dist/esm/icons/IconCircleCheck.mjs';
import IconInfoCircle from '@tabler/icons-react/dist/esm/icons/IconInfoCircle.mjs';
import { useTranslation } from 'react-i18next';
import type { SystemDetails } from '../../../contract/system-status.ts';
import { Notice } from '../ui/notice.tsx';
import { usePartTexts } from './parts.ts';
import { useSystemDetails } from './use-system-details.ts';

/** Reports that there are no warnings, and how many parts need attention nevertheless. */
export const NoWarnings = ({ program }: { readonly program: string }) => {
  const { t } = useTranslation(['system', 'system-details']);
  const partTexts = usePartTexts(program);
  const { data, error } = useSystemDetails();
  const attentionCount = (details: SystemDetails): number =>
    [...partTexts(details), ...details.nodes].filter(({ state }) => state !== 'ok').length;
  const textOf = (count: number) => (count === 0 ? t('noWarningsText') : t('system-details:attention', { count }));
  // "No action is needed" must not be claimed before the parts are known.
  const count = data && !error ? attentionCount(data) : null;
  return (
    <Notice
      title={t('noWarnings')}
      text={count === null ? undefined : textOf(count)}
      icon={count === 0 ? <IconCircleCheck /> : <IconInfoCircle />}
    />
  );
};
