// pdf.js ships its workers without types.
declare module 'pdfjs-dist/legacy/build/pdf.worker.mjs'
declare module 'pdfjs-dist/legacy/build/pdf.renderer.mjs'
