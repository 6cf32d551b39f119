// Draws pages without blocking the thread that scrolls.
import 'pdfjs-dist/legacy/build/pdf.renderer.mjs'
