; Parley registers its links itself; an update removes the older version first, and keeps them.
!macro customUnInstall
  ${ifNot} ${isUpdated}
    DeleteRegKey HKCU "Software\Classes\parley"
  ${endif}
!macroend
