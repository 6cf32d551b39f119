// pdf.js ships its workers without types; they are run, never called.
declare module 'pdfjs-dist/legacy/build/pdf.worker.mjs'
declare module 'pdfjs-dist/legacy/build/pdf.renderer.mjs'
