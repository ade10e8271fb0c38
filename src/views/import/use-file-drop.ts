import { useEffect, useRef, useState } from 'react';
import { carriesFiles, droppedFiles, type FilesRead } from '../parts/dropped-files.ts';

interface FileDrop {
  readonly onFiles: (files: FilesRead) => void;
  /** Folders are being opened: files found so far; null when it is over. */
  readonly onCount?: (count: number | null) => void;
}

/** Files dropped anywhere on the page; says while some are held above it. They go to whom the page was for when they were let go. */
export const useFileDrop = (drop: FileDrop): boolean => {
  const [above, setAbove] = useState(false);
  const latest = useRef(drop);
  useEffect(() => {
    latest.current = drop;
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
    const take = (event: DragEvent) => {
      if (!event.dataTransfer || !carriesFiles(event.dataTransfer)) return;
      event.preventDefault();
      settle(0);
      const { onFiles, onCount } = latest.current;
      droppedFiles(event.dataTransfer, onCount)
        .then(onFiles)
        .finally(() => onCount?.(null));
    };
    const page = document.documentElement;
    page.addEventListener('dragenter', enter);
    page.addEventListener('dragover', over);
    page.addEventListener('dragleave', leave);
    page.addEventListener('drop', take);
    return () => {
      page.removeEventListener('dragenter', enter);
      page.removeEventListener('dragover', over);
      page.removeEventListener('dragleave', leave);
      page.removeEventListener('drop', take);
    };
  }, []);
  return above;
};
