import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { SharedLinkMade } from '../../../contract/shared-links.ts';
import type { LinkRequest } from '../../services/queries.ts';
import { useGallery } from '../app/loaded-services.ts';
import { failureOfQuery } from '../app/queries-context.tsx';
import { useFailureText } from '../language/failure-text.ts';
import { toast } from '../ui/toast.ts';

/** Makes links, one at a time; resolves to null when it failed, which a message has said. */
export const useMakeLink = () => {
  const { t } = useTranslation(['share', 'shell']);
  const gallery = useGallery();
  const failureText = useFailureText();
  const [isMaking, setIsMaking] = useState(false);
  const make = async (request: LinkRequest): Promise<SharedLinkMade | null> => {
    setIsMaking(true);
    try {
      return await gallery.makeLink(request);
    } catch (error) {
      const reason = failureText(failureOfQuery(error));
      toast({ tone: 'bad', text: t('makeFailed', { reason }), close: t('shell:close') });
      return null;
    } finally {
      setIsMaking(false);
    }
  };
  return { isMaking, make };
};
