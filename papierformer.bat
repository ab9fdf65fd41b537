@echo off
rem Das Programm aus einem Klon unter Windows: richtet sich beim ersten Start ein und startet dann "papierformer".
rem Neben der Shell-Datei "papierformer" für Linux und Mac; PDF druckt hier Edge oder Chrome, wenn Pango fehlt.
setlocal
chcp 65001 >nul
set "PYTHONUTF8=1"
set "root=%~dp0"
set "venv=%root%.venv"
set "work=%root%.setup"
if not exist "%work%" mkdir "%work%"
if not exist "%venv%\ready-run" goto setup
fc /b "%root%requirements.lock" "%venv%\ready-run" >nul 2>nul && goto run

:setup
echo Papierformer wird eingerichtet (einmalig, ein bis zwei Minuten) … 1>&2
set "python="
for %%P in ("py -3" "python") do if not defined python (
  %%~P -c "import sys; sys.exit(sys.version_info < (3, 11))" >nul 2>nul && set "python=%%~P"
)
if not defined python (
  echo Papierformer braucht Python 3.11 oder neuer; bitte von python.org installieren, ohne Verwalterrechte möglich. 1>&2
  if "%~1"=="" pause
  exit /b 2
)
%python% -m venv --clear "%venv%" >"%work%\log" 2>&1 || goto failed
set "PIP_DISABLE_PIP_VERSION_CHECK=1"
set "PIP_NO_INPUT=1"
"%venv%\Scripts\python.exe" -m pip install --no-deps --require-hashes --only-binary :all: -r "%root%requirements.lock" >>"%work%\log" 2>&1 || goto failed
"%venv%\Scripts\python.exe" -m pip install --no-deps --no-build-isolation --editable "%root%." >>"%work%\log" 2>&1 || goto failed
rem Was sich nie ändert, wird einmal gemacht; misslingt es, dauert nur das erste Blatt länger.
set "PAPIERFORMER_CACHE=%venv%\share\papierformer"
"%venv%\Scripts\python.exe" -m generator blatt "Die Katze sitzt auf der Matte" --ausgabe "%work%\beispiel" >>"%work%\log" 2>&1
if exist "%work%\beispiel" rmdir /s /q "%work%\beispiel"
set "PAPIERFORMER_CACHE="
copy /y /b "%root%requirements.lock" "%venv%\ready-run" >nul || goto failed
echo Fertig eingerichtet. 1>&2

:run
if "%~1"=="" goto page
"%venv%\Scripts\python.exe" -m generator %*
exit /b %errorlevel%

:page
rem Ein Doppelklick öffnet die Seite; was nicht gelingt, bleibt zu lesen.
"%venv%\Scripts\python.exe" -m generator seite || pause
exit /b

:failed
echo Die Einrichtung ist nicht gelungen; bitte prüfen, ob der Rechner mit dem Internet verbunden ist, und noch einmal starten. 1>&2
echo Einzelheiten stehen in "%work%\log". 1>&2
if "%~1"=="" pause
exit /b 1
