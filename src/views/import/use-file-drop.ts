import { useEffect, useRef, useState } from 'react';
import { carriesFiles, droppedFiles } from '../parts/dropped-files.ts';

/** Files dropped anywhere on the page; says while some are held above it. */
export const useFileDrop = (onFiles: (files: readonly File[]) => void): boolean => {
  const [above, setAbove] = useState(false);
  const latest = useRef(onFiles);
  useEffect(() => {
    latest.current = onFiles;
  });
  useEffect(() => {
    let depth = 0;
    const settle = (next: number) => {
      depth = Math.max(0, next);
      setAbove(depth > 0);
    };
    const enter = (event: DragEvent) => {
      if (!carriesFiles(event.dataTransfer)) return;
      event.preventDefault();
      settle(depth + 1);
    };
    const over = (event: DragEvent) => {
      if (!carriesFiles(event.dataTransfer)) return;
      event.preventDefault();
      if (event.dataTransfer) event.dataTransfer.dropEffect = 'copy';
    };
    const leave = (event: DragEvent) => {
      if (carriesFiles(event.dataTransfer)) settle(depth - 1);
    };
    const drop = (event: DragEvent) => {
      if (!event.dataTransfer || !carriesFiles(event.dataTransfer)) return;
      event.preventDefault();
      settle(0);
      droppedFiles(event.dataTransfer).then((files) => latest.current(files));
    };
    const page = document.documentElement;
    page.addEventListener('dragenter', enter);
    page.addEventListener('dragover', over);
    page.addEventListener('dragleave', leave);
    page.addEventListener('drop', drop);
    return () => {
      page.removeEventListener('dragenter', enter);
      page.removeEventListener('dragover', over);
      page.removeEventListener('dragleave', leave);
      page.removeEventListener('drop', drop);
    };
  }, []);
  return above;
};
